// SPDX-License-Identifier: MIT
#include "newton/shared_gram.hpp"

#include <algorithm>

#include "newton/gram_chunk.hpp"
#include "newton/row_parcels.hpp"
#include "newton/shared_tiles.hpp"

namespace semblance::linear {
namespace {

using Turn = std::vector<std::size_t>;

/// The tasks in turns with one task per rank, so that all ranks are busy.
std::vector<Turn> turns_of(std::span<const GramTask> tasks, std::size_t ranks) {
  std::vector<std::size_t> seen(ranks);
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::size_t turn = seen[tasks[i].keeper]++;
    if (turn == turns.size()) turns.emplace_back();
    turns[turn].push_back(i);
  }
  return turns;
}

/// The data sent by the ranks for one chunk of a task.
class Received {
 public:
  Received(const GramTask& task, const Shares& shares, std::size_t chunk,
           std::vector<std::byte> bytes)
      : task_(task), shares_(shares), chunk_(chunk), bytes_(std::move(bytes)) {}

  /// Fills a chunk with the rows; returns the weight of one of them.
  template <class T>
  double fill(const Rows& rows, Vectors<T>& chunk) const {
    const Parcel parcel(task_.columns, rows.cols());
    const std::byte* from = bytes_.data();
    std::size_t filled = 0;
    double weight = 1;
    for (std::size_t r = 0; r < shares_.ranks(); ++r) {
      const std::size_t count = shares_.of_rank(r, chunk_).count;
      if (count == 0) continue;
      weight = parcel.unpack(from, count, rows.cols(), task_.columns, chunk, filled);
      filled += count;
      from += parcel.bytes(count);
    }
    return weight;
  }

 private:
  const GramTask& task_;
  const Shares& shares_;
  std::size_t chunk_;
  std::vector<std::byte> bytes_;
};

/// Sends the own rows of one chunk of a task and receives those of other ranks. Collective.
Received exchange(const Rows& rows, const GramTask& task, const Shares& shares, std::size_t chunk,
                  Context& context) {
  Collectives& ranks = context.collectives();
  const Shares::Range own = shares.of_rank(ranks.rank(), chunk);
  std::vector<std::byte> sent;
  Parcel(task.columns, rows.cols())
      .pack(rows, std::span(task.chosen).subspan(own.first, own.count), task.columns, sent);
  return {task, shares, chunk, ranks.gather(std::span<const std::byte>(sent))};
}

/// False if a stop was requested.
bool take_turn(const Rows& rows, std::span<const GramTask> tasks, const Turn& turn,
               const std::vector<Shares>& shares, Context& context) {
  const auto kept = std::ranges::find(turn, context.collectives().rank(),
                                      [&](std::size_t i) { return tasks[i].keeper; });
  Vectors<double> chunk;
  if (kept != turn.end()) chunk = Vectors<double>(chunk_rows, tasks[*kept].matrix->cols());
  std::size_t chunks = 0;
  for (const std::size_t i : turn) chunks = std::max(chunks, shares[i].chunks());
  for (std::size_t k = 0; k < chunks; ++k) {
    double weight = 1;
    // One task's rows at a time, as they need memory twice; then all ranks compute at once.
    for (const std::size_t i : turn) {
      if (k >= shares[i].chunks()) continue;
      const Received received = exchange(rows, tasks[i], shares[i], k, context);
      if (context.stop_requested() != StopReason::none) return false;
      if (kept != turn.end() && i == *kept) weight = received.fill(rows, chunk);
    }
    if (kept == turn.end() || k >= shares[*kept].chunks()) continue;
    add_chunk(
        chunk, shares[*kept].chunk_size(k), weight, *tasks[*kept].matrix,
        [](std::size_t) { return true; }, context);
  }
  return true;
}

}  // namespace

template <class T>
bool share_gram(const Rows& rows, std::vector<WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& matrix, Context& context) {
  if (context.collectives().ranks() == 1) return add_gram(rows, chosen, columns, matrix, context);
  const std::vector<Shares> shares = Shares::of({chosen.size()}, context);
  const GramTask task{0, std::move(chosen), columns, nullptr};
  Vectors<T> chunk(chunk_rows, matrix.cols());
  for (std::size_t k = 0; k < shares.front().chunks(); ++k) {
    const Received received = exchange(rows, task, shares.front(), k, context);
    if (context.stop_requested() != StopReason::none) return false;
    const double weight = received.fill(rows, chunk);
    add_chunk(
        chunk, shares.front().chunk_size(k), weight, matrix,
        [&](std::size_t tile) { return has_tile(tile, context); }, context);
  }
  share_tiles(matrix, gram_tile, context);
  return context.stop_requested() == StopReason::none;
}

template bool share_gram(const Rows&, std::vector<WeightedRow>, const GramColumns&, Vectors<float>&,
                         Context&);

bool share_grams(const Rows& rows, std::span<const GramTask> tasks, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<std::size_t> counts;
  for (const GramTask& task : tasks) counts.push_back(task.chosen.size());
  const std::vector<Shares> shares = Shares::of(counts, context);
  for (const Turn& turn : turns_of(tasks, ranks.ranks()))
    if (!take_turn(rows, tasks, turn, shares, context)) return false;
  return context.stop_requested() == StopReason::none;
}

}  // namespace semblance::linear
