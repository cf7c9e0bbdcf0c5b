// SPDX-License-Identifier: MIT
#include "newton/shared_gram.hpp"

#include <algorithm>

#include "newton/gram_chunk.hpp"
#include "newton/row_parcels.hpp"
#include "newton/shared_tiles.hpp"

namespace semblance::solvers {
namespace {

using Turn = std::vector<std::size_t>;

/// The tasks in turns of one of each rank's, so that all ranks have something to do.
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

/// What the ranks have sent of one chunk of each task of a turn.
class Received {
 public:
  Received(std::span<const GramTask> tasks, const Turn& turn, const std::vector<Shares>& shares,
           std::size_t chunk, std::vector<std::byte> bytes)
      : tasks_(tasks), turn_(turn), shares_(shares), chunk_(chunk), bytes_(std::move(bytes)) {}

  /// Fills a chunk with the rows of a task; returns the weight of one of them.
  template <class T>
  double fill(std::size_t task, const Rows& rows, Vectors<T>& chunk) const {
    const std::byte* from = bytes_.data();
    std::size_t filled = 0;
    double weight = 1;
    for (std::size_t r = 0; r < shares_[task].ranks(); ++r)
      for (const std::size_t i : turn_) {
        const std::size_t count = shares_[i].of_rank(r, chunk_).count;
        const Parcel parcel(tasks_[i].columns, rows.cols());
        if (count > 0 && i == task) {
          weight = parcel.unpack(from, count, rows.cols(), tasks_[i].columns, chunk, filled);
          filled += count;
        }
        from += parcel.bytes(count);
      }
    return weight;
  }

 private:
  std::span<const GramTask> tasks_;
  const Turn& turn_;
  const std::vector<Shares>& shares_;
  std::size_t chunk_;
  std::vector<std::byte> bytes_;
};

/// Sends the own rows of one chunk of each task, and receives the others'. Collective.
Received exchange(const Rows& rows, std::span<const GramTask> tasks, const Turn& turn,
                  const std::vector<Shares>& shares, std::size_t chunk, Context& context) {
  Collectives& ranks = context.collectives();
  const auto own_of = [&](std::size_t i) { return shares[i].of_rank(ranks.rank(), chunk); };
  // Growing, it would take up to three times as much, where memory is needed most.
  std::size_t bytes = 0;
  for (const std::size_t i : turn)
    bytes += Parcel(tasks[i].columns, rows.cols()).bytes(own_of(i).count);
  std::vector<std::byte> sent;
  sent.reserve(bytes);
  for (const std::size_t i : turn) {
    const Shares::Range own = own_of(i);
    Parcel(tasks[i].columns, rows.cols())
        .pack(rows, std::span(tasks[i].chosen).subspan(own.first, own.count), tasks[i].columns,
              sent);
  }
  return {tasks, turn, shares, chunk, ranks.gather(std::span<const std::byte>(sent))};
}

/// Those of own tasks that a turn has: one, or none.
Turn kept_tasks(std::span<const GramTask> tasks, const Turn& turn, std::size_t rank) {
  Turn kept;
  for (const std::size_t i : turn)
    if (tasks[i].keeper == rank) kept.push_back(i);
  return kept;
}

/// False when a stop was requested.
bool take_turn(const Rows& rows, std::span<const GramTask> tasks, const Turn& turn,
               const std::vector<Shares>& shares, Context& context) {
  const Turn kept = kept_tasks(tasks, turn, context.collectives().rank());
  Vectors<double> chunk;
  if (!kept.empty()) chunk = Vectors<double>(chunk_rows, tasks[kept.front()].matrix->cols());
  std::size_t chunks = 0;
  for (const std::size_t i : turn) chunks = std::max(chunks, shares[i].chunks());
  for (std::size_t k = 0; k < chunks; ++k) {
    const Received received = exchange(rows, tasks, turn, shares, k, context);
    if (context.stop_requested() != StopReason::none) return false;
    for (const std::size_t i : kept) {
      if (k >= shares[i].chunks()) continue;
      const double weight = received.fill(i, rows, chunk);
      add_chunk(
          chunk, shares[i].chunk_size(k), weight, *tasks[i].matrix,
          [](std::size_t) { return true; }, context);
    }
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
  const Turn turn{0};
  Vectors<T> chunk(chunk_rows, matrix.cols());
  for (std::size_t k = 0; k < shares.front().chunks(); ++k) {
    const Received received = exchange(rows, {&task, 1}, turn, shares, k, context);
    if (context.stop_requested() != StopReason::none) return false;
    const double weight = received.fill(0, rows, chunk);
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

}  // namespace semblance::solvers
