// SPDX-License-Identifier: MIT
#include "newton/gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::solvers {
namespace {

constexpr std::size_t chunk_rows = 512;
constexpr std::size_t gram_tile = 512;

/// A row as add_gram() needs it, multiplied with the root of its weight's size. `at(k)` is its k-th
/// chosen column; or its column k, where all are.
template <class T, class At>
void fill_row(const At& at, std::size_t cols, double weight, const GramColumns& columns, T* to) {
  const double root = std::sqrt(std::abs(weight));
  const auto scaled = [&](std::size_t j, double x) {
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

template <class T>
void fill_chunk(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& chunk) {
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const float* x = rows.view(chosen[r].row, 1).data;
    const auto all = [&](std::size_t k) { return x[k]; };
    const auto some = [&](std::size_t k) { return x[columns.chosen[k]]; };
    if (columns.chosen.empty())
      fill_row(all, rows.cols(), chosen[r].weight, columns, chunk.row(r));
    else
      fill_row(some, rows.cols(), chosen[r].weight, columns, chunk.row(r));
  }
  const std::size_t begin = chosen.front().row;
  rows.release(begin, chosen.back().row + 1 - begin);
}

/// Adds the products of a chunk's first rows to the tiles that are wanted.
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

bool all_tiles(std::size_t) { return true; }

/// Where the rows are that all ranks have chosen: those of rank r are [begins[r], begins[r + 1]).
class Shares {
 public:
  /// Of as many lists as there are counts.
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

  std::size_t chunks() const noexcept { return (begins_.back() + chunk_rows - 1) / chunk_rows; }
  std::size_t chunk_size(std::size_t chunk) const noexcept {
    return std::min(chunk_rows, begins_.back() - chunk * chunk_rows);
  }

  /// Those of a rank's rows that belong to a chunk.
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

/// Rows on their way from rank to rank: their weights, then the values of the columns that enter.
class Parcel {
 public:
  Parcel(const GramColumns& columns, std::size_t cols)
      : width_(columns.chosen.empty() ? cols : columns.chosen.size()) {}

  std::size_t bytes(std::size_t count) const noexcept {
    return count * (sizeof(double) + width_ * sizeof(float));
  }

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
      rows.release(chosen[r].row, 1);
    }
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

/// Gives every rank the tiles that it has not computed, a row of tiles at a time.
template <class T>
void share_tiles(Vectors<T>& matrix, Context& context) {
  Collectives& ranks = context.collectives();
  const std::size_t d = matrix.cols(), tiles = (d + gram_tile - 1) / gram_tile;
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::size_t row = i * gram_tile, height = std::min(gram_tile, d - row);
    const auto for_tiles = [&](std::size_t rank, const auto& body) {
      for (std::size_t j = 0; j <= i; ++j) {
        if ((numerics::triangle_size(i) + j) % ranks.ranks() != rank) continue;
        const std::size_t col = j * gram_tile, width = std::min(gram_tile, d - col);
        for (std::size_t r = row; r < row + height; ++r) body(matrix.row(r) + col, width);
      }
    };
    std::vector<T> own;
    for_tiles(ranks.rank(),
              [&](const T* x, std::size_t width) { own.insert(own.end(), x, x + width); });
    const std::vector<T> all = ranks.gather(own);
    const T* from = all.data();
    for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
      for_tiles(rank, [&](T* x, std::size_t width) {
        std::copy_n(from, width, x);
        from += width;
      });
  }
}

/// The tasks in turns of one of each rank's, so that all ranks have something to do.
std::vector<std::vector<std::size_t>> turns_of(std::span<const GramTask> tasks, std::size_t ranks) {
  std::vector<std::size_t> seen(ranks);
  std::vector<std::vector<std::size_t>> turns;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::size_t turn = seen[tasks[i].keeper]++;
    if (turn == turns.size()) turns.emplace_back();
    turns[turn].push_back(i);
  }
  return turns;
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
    add_chunk(chunk, part.size(), part.front().weight, matrix, all_tiles, context);
  }
  return context.stop_requested() == StopReason::none;
}

template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<float>&, Context&);
template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<double>&, Context&);

template <class T>
bool share_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& matrix, Context& context) {
  Collectives& ranks = context.collectives();
  if (ranks.ranks() == 1) return add_gram(rows, chosen, columns, matrix, context);
  const Shares shares = Shares::of({chosen.size()}, context).front();
  const Parcel parcel(columns, rows.cols());
  Vectors<T> chunk(chunk_rows, matrix.cols());
  const auto own_tile = [&](std::size_t tile) { return tile % ranks.ranks() == ranks.rank(); };
  for (std::size_t k = 0; k < shares.chunks(); ++k) {
    std::vector<std::byte> sent;
    const Shares::Range own = shares.of_rank(ranks.rank(), k);
    parcel.pack(rows, chosen.subspan(own.first, own.count), columns, sent);
    const std::vector<std::byte> all = ranks.gather(sent);
    if (context.stop_requested() != StopReason::none) return false;
    const std::byte* from = all.data();
    std::size_t filled = 0;
    double weight = 1;
    for (std::size_t r = 0; r < ranks.ranks(); ++r) {
      const std::size_t count = shares.of_rank(r, k).count;
      if (count == 0) continue;
      weight = parcel.unpack(from, count, rows.cols(), columns, chunk, filled);
      filled += count;
      from += parcel.bytes(count);
    }
    add_chunk(chunk, filled, weight, matrix, own_tile, context);
  }
  share_tiles(matrix, context);
  return context.stop_requested() == StopReason::none;
}

template bool share_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                         Vectors<float>&, Context&);

bool share_grams(const Rows& rows, std::span<const GramTask> tasks, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<std::size_t> counts;
  for (const GramTask& task : tasks) counts.push_back(task.chosen.size());
  const std::vector<Shares> shares = Shares::of(counts, context);
  for (const std::vector<std::size_t>& turn : turns_of(tasks, ranks.ranks())) {
    std::size_t chunks = 0;
    Vectors<double> chunk;
    for (const std::size_t i : turn) {
      chunks = std::max(chunks, shares[i].chunks());
      if (tasks[i].keeper == ranks.rank())
        chunk = Vectors<double>(chunk_rows, tasks[i].matrix->cols());
    }
    for (std::size_t k = 0; k < chunks; ++k) {
      std::vector<std::byte> sent;
      for (const std::size_t i : turn) {
        const Shares::Range own = shares[i].of_rank(ranks.rank(), k);
        Parcel(tasks[i].columns, rows.cols())
            .pack(rows, std::span(tasks[i].chosen).subspan(own.first, own.count), tasks[i].columns,
                  sent);
      }
      const std::vector<std::byte> all = ranks.gather(sent);
      if (context.stop_requested() != StopReason::none) return false;
      const std::byte* from = all.data();
      std::size_t filled = 0, kept = tasks.size();
      double weight = 1;
      for (std::size_t r = 0; r < ranks.ranks(); ++r)
        for (const std::size_t i : turn) {
          const std::size_t count = shares[i].of_rank(r, k).count;
          const Parcel parcel(tasks[i].columns, rows.cols());
          if (count > 0 && tasks[i].keeper == ranks.rank()) {
            weight = parcel.unpack(from, count, rows.cols(), tasks[i].columns, chunk, filled);
            filled += count;
            kept = i;
          }
          from += parcel.bytes(count);
        }
      if (filled > 0) add_chunk(chunk, filled, weight, *tasks[kept].matrix, all_tiles, context);
    }
  }
  return context.stop_requested() == StopReason::none;
}

std::size_t gram_bytes(std::size_t dimension, std::size_t value_bytes) noexcept {
  return chunk_rows * padded(dimension) * value_bytes;
}

}  // namespace semblance::solvers
