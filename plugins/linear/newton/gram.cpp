// SPDX-License-Identifier: MIT
#include "newton/gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "newton/distributed.hpp"
#include "semblance/collectives.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

constexpr std::size_t chunk_rows = 512;
constexpr std::size_t gram_tile = 512;

/// A row as add_gram() needs it, multiplied by the square root of its weight's magnitude. `at(k)`
/// is its k-th chosen column, or its column k if all are chosen.
template <class T, class At>
void fill_row(const At& at, std::size_t cols, double weight, const GramColumns& columns, T* to) {
  const double root = std::sqrt(std::abs(weight));
  const auto scaled = [&](std::size_t j, double x) {
    if (j < columns.centre.size()) x -= columns.centre[j];
    return static_cast<T>(columns.scale.empty() ? root * x : root * x * columns.scale[j]);
  };
  if (!columns.chosen.empty()) {
    for (std::size_t k = 0; k < columns.chosen.size(); ++k) {
      const std::size_t j = columns.chosen[k];
      to[k] = scaled(j, j < cols ? double{at(k)} : columns.bias);
    }
    return;
  }
  for (std::size_t j = 0; j < cols; ++j) to[j] = scaled(j, at(j));
  if (columns.bias != 0) to[cols] = scaled(cols, columns.bias);
}

/// Adds the products of a chunk's first rows to the requested tiles.
template <class T>
void add_chunk(const Vectors<T>& chunk, std::size_t count, double weight, Vectors<T>& matrix,
               const std::function<bool(std::size_t tile)>& wanted, Context& context) {
  const std::size_t d = matrix.cols(), tiles = (d + gram_tile - 1) / gram_tile;
  const T sign = weight < 0 ? T{-1} : T{1};
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    if (context.stop_requested() != StopReason::none || !wanted(task)) return;
    const numerics::TrianglePlace place = numerics::triangle_place(task);
    const std::size_t row = place.row * gram_tile, col = place.col * gram_tile;
    const std::size_t height = std::min(gram_tile, d - row);
    const T *left = chunk.row(0) + row, *right = chunk.row(0) + col;
    T* to = matrix.row(row) + col;
    if (row == col)
      numerics::blas::add_transposed_square(height, count, sign, left, chunk.stride(), to,
                                            matrix.stride());
    else
      numerics::blas::add_transposed_product(height, gram_tile, count, sign, left, right,
                                             chunk.stride(), to, matrix.stride());
  });
}

/// The chosen columns of a sparse row, in dense form; both are ascending.
void pick(const MatrixView& row, std::span<const std::size_t> chosen, std::vector<float>& to) {
  to.assign(chosen.size(), 0.0F);
  const auto columns = row.columns_of(0);
  auto from = chosen.begin();
  for (std::size_t k = 0; k < row.size(0) && from != chosen.end(); ++k) {
    from = std::lower_bound(from, chosen.end(), std::size_t{columns[k]});
    if (from != chosen.end() && *from == columns[k])
      to[static_cast<std::size_t>(from - chosen.begin())] = row.row(0)[k];
  }
}

/// All values of a sparse row.
void lay_out(const MatrixView& row, std::size_t cols, std::vector<float>& to) {
  to.assign(cols, 0.0F);
  for (std::size_t k = 0; k < row.size(0); ++k) to[row.columns_of(0)[k]] = row.row(0)[k];
}

template <class T>
void fill_chunk(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& chunk) {
  std::vector<float> filled;  // of a sparse row
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const MatrixView row = rows.view(chosen[r].row, 1);
    const float* x = row.row(0);
    const auto all = [&](std::size_t k) { return x[k]; };
    const auto some = [&](std::size_t k) { return x[columns.chosen[k]]; };
    const bool picked = row.sparse() && !columns.chosen.empty();
    if (picked)
      pick(row, columns.chosen, filled);
    else if (row.sparse())
      lay_out(row, rows.cols(), filled);
    if (row.sparse()) x = filled.data();
    if (columns.chosen.empty() || picked)
      fill_row(all, rows.cols(), chosen[r].weight, columns, chunk.row(r));
    else
      fill_row(some, rows.cols(), chosen[r].weight, columns, chunk.row(r));
  }
  const std::size_t begin = chosen.front().row;
  rows.release(begin, chosen.back().row + 1 - begin);
}

/// The distribution of the rows chosen by all ranks: those of rank r are [begins[r], begins[r +
/// 1]).
class Shares {
 public:
  /// For one list per count.
  static std::vector<Shares> of(const std::vector<std::size_t>& own_counts, Context& context) {
    Collectives& ranks = context.collectives();
    const std::vector<std::size_t> counts = ranks.gather(own_counts);
    std::vector<Shares> shares(own_counts.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i].begins_.push_back(0);
      for (std::size_t r = 0; r < ranks.ranks(); ++r)
        shares[i].begins_.push_back(shares[i].begins_.back() + counts[r * shares.size() + i]);
    }
    return shares;
  }

  std::size_t ranks() const noexcept { return begins_.size() - 1; }
  std::size_t chunks() const noexcept { return (begins_.back() + chunk_rows - 1) / chunk_rows; }
  std::size_t chunk_size(std::size_t chunk) const noexcept {
    return std::min(chunk_rows, begins_.back() - chunk * chunk_rows);
  }

  /// The rows of a rank in a chunk.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  Range of_rank(std::size_t rank, std::size_t chunk) const noexcept {
    if (chunk >= chunks()) return {};
    const auto clamped = [&](std::size_t place) {
      return std::clamp(place, begins_[rank], begins_[rank + 1]) - begins_[rank];
    };
    const std::size_t first = clamped(chunk * chunk_rows);
    return {first, clamped(chunk * chunk_rows + chunk_size(chunk)) - first};
  }

 private:
  std::vector<std::size_t> begins_;
};

/// Rows in transfer between ranks: their weights, then the values of the chosen columns.
class Parcel {
 public:
  Parcel(const GramColumns& columns, std::size_t cols)
      : width_(columns.chosen.empty() ? cols : columns.chosen.size()) {}

  std::size_t bytes(std::size_t count) const noexcept {
    return count * (sizeof(double) + width_ * sizeof(float));
  }

  /// Appends own rows.
  void pack(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
            std::vector<std::byte>& to) const {
    const std::size_t begin = to.size(), values = begin + chosen.size() * sizeof(double);
    to.resize(begin + bytes(chosen.size()));
    std::vector<float> picked(columns.chosen.size());
    for (std::size_t r = 0; r < chosen.size(); ++r) {
      std::memcpy(&to[begin + r * sizeof(double)], &chosen[r].weight, sizeof(double));
      const float* x = rows.view(chosen[r].row, 1).data;
      for (std::size_t k = 0; k < picked.size(); ++k)
        picked[k] = columns.chosen[k] < rows.cols() ? x[columns.chosen[k]] : 0;
      const std::size_t size = width_ * sizeof(float);
      std::memcpy(&to[values + r * size], picked.empty() ? x : picked.data(), size);
    }
    if (chosen.empty()) return;
    rows.release(chosen.front().row, chosen.back().row + 1 - chosen.front().row);
  }

  /// Fills rows of a chunk; returns the weight of the last.
  template <class T>
  double unpack(const std::byte* from, std::size_t count, std::size_t cols,
                const GramColumns& columns, Vectors<T>& chunk, std::size_t first) const {
    double weight = 1;
    std::vector<float> x(width_);
    for (std::size_t r = 0; r < count; ++r) {
      std::memcpy(&weight, from + r * sizeof(double), sizeof(double));
      const std::size_t size = width_ * sizeof(float);
      std::memcpy(x.data(), from + count * sizeof(double) + r * size, size);
      fill_row([&](std::size_t k) { return x[k]; }, cols, weight, columns, chunk.row(first + r));
    }
    return weight;
  }

 private:
  std::size_t width_;
};

using Turn = std::vector<std::size_t>;

/// The tasks in turns with one task per rank, so that all ranks are busy.
std::vector<Turn> turns_of(std::span<const GramTask> tasks, std::size_t ranks) {
  std::vector<std::size_t> seen(ranks);
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::size_t turn = seen[tasks[i].owner]++;
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
  const auto own_task = std::ranges::find(turn, context.collectives().rank(),
                                          [&](std::size_t i) { return tasks[i].owner; });
  Vectors<double> chunk;
  if (own_task != turn.end()) chunk = Vectors<double>(chunk_rows, tasks[*own_task].matrix->cols());
  std::size_t chunks = 0;
  for (const std::size_t i : turn) chunks = std::max(chunks, shares[i].chunks());
  for (std::size_t k = 0; k < chunks; ++k) {
    double weight = 1;
    // One task's rows at a time, as they need memory twice; then all ranks compute at once.
    for (const std::size_t i : turn) {
      if (k >= shares[i].chunks()) continue;
      const Received received = exchange(rows, tasks[i], shares[i], k, context);
      if (context.stop_requested() != StopReason::none) return false;
      if (own_task != turn.end() && i == *own_task) weight = received.fill(rows, chunk);
    }
    if (own_task == turn.end() || k >= shares[*own_task].chunks()) continue;
    add_chunk(
        chunk, shares[*own_task].chunk_size(k), weight, *tasks[*own_task].matrix,
        [](std::size_t) { return true; }, context);
  }
  return true;
}

}  // namespace

template <class T>
bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<T>& matrix, Context& context) {
  if (chosen.empty()) return true;
  Vectors<T> chunk(std::min(chunk_rows, chosen.size()), matrix.cols());
  for (std::size_t first = 0; first < chosen.size(); first += chunk_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const auto part = chosen.subspan(first, std::min(chunk_rows, chosen.size() - first));
    fill_chunk(rows, part, columns, chunk);
    add_chunk(
        chunk, part.size(), part.front().weight, matrix, [](std::size_t) { return true; }, context);
  }
  return context.stop_requested() == StopReason::none;
}

template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<float>&, Context&);
template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<double>&, Context&);

std::size_t gram_bytes(std::size_t dimension, std::size_t value_bytes) noexcept {
  return chunk_rows * padded(dimension) * value_bytes;
}

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
