// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"

/// Products of one sparse row with the interleaved vectors of several problems, so that a column is
/// looked up once for all problems. Each problem's sum runs over the entries in order,
/// independently of other problems: bits do not depend on the grouping of problems.
namespace semblance::linear {

/// The number of interleaved problems: one, or a multiple of `lane_step`, at most `most_lanes`.
inline constexpr std::size_t lane_step = 4;
inline constexpr std::size_t most_lanes = 32;

/// `count` rounded up to an allowed number of interleaved problems.
constexpr std::size_t padded_lanes(std::size_t count) noexcept {
  return count == 1 ? 1 : (count + lane_step - 1) / lane_step * lane_step;
}

/// One sparse row.
struct SparseRow {
  const float* values;
  const std::uint32_t* columns;
  std::size_t size;
};

inline SparseRow entries_of(MatrixView rows, std::size_t i) noexcept {
  return {rows.row(i), rows.columns_of(i).data(), rows.size(i)};
}

/// Fetches a row's first entries: in random order, the processor does not see the next rows coming.
/// It fetches the rest itself. Without always_inline, GCC 12 drops the call, as one without
/// effects.
[[gnu::always_inline]] inline void prefetch(const SparseRow& row) noexcept {
  constexpr std::size_t line = 16, most = 8 * line;  // entries
  const std::size_t end = std::min(row.size, most);
  for (std::size_t k = 0; k < end + line; k += line) {
    const std::size_t entry = std::min(k, end);
    __builtin_prefetch(row.values + entry);
    __builtin_prefetch(row.columns + entry);
  }
}

/// The entries of a row in the columns [first, end).
inline SparseRow entries_within(const SparseRow& row, std::size_t first, std::size_t end) {
  const std::uint32_t* last = row.columns + row.size;
  const std::uint32_t* from = std::lower_bound(row.columns, last, first);
  const std::uint32_t* to = std::lower_bound(from, last, end);
  return {row.values + (from - row.columns), from, static_cast<std::size_t>(to - from)};
}

/// sum_k values[k] weights[columns[k]], in four sums.
double product(const SparseRow& row, const double* weights);
float product(const SparseRow& row, const float* weights);

/// out[l] += sum_k values[k] weights[columns[k] * lanes + l].
void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out);
void add_products(const SparseRow& row, const float* weights, std::size_t lanes, float* out);

/// weights[columns[k] * lanes + l] += values[k] factors[l], for all k.
void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights);
void add_row(const SparseRow& row, const float* factors, std::size_t lanes, float* weights);

/// Interleaved weight vectors of problems: the problems' weights per column, and for the constant
/// `bias` that is appended to every row. T: double or float.
template <class T>
class LaneWeights {
 public:
  LaneWeights() = default;
  LaneWeights(std::size_t cols, double bias, std::size_t problems)
      : cols_(cols),
        bias_(static_cast<T>(bias)),
        lanes_(padded_lanes(problems)),
        weights_((cols + 1) * lanes_) {}

  std::size_t lanes() const noexcept { return lanes_; }
  std::size_t columns() const noexcept { return cols_ + 1; }
  /// The weights of a column, or of the constant, which comes last: one per problem.
  T* of(std::size_t column) noexcept { return &weights_[column * lanes_]; }
  const T* of(std::size_t column) const noexcept { return &weights_[column * lanes_]; }

  void fill(T value) { weights_.assign(weights_.size(), value); }
  /// Rounds the weights of as many problems.
  template <class U>
  void round(const LaneWeights<U>& from) {
    for (std::size_t j = 0; j < columns(); ++j)
      for (std::size_t l = 0; l < lanes_; ++l) of(j)[l] = static_cast<T>(from.of(j)[l]);
  }

  /// out[l] = w_l . x for each lane.
  void scores(const SparseRow& row, T* out) const {
    const T* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) out[l] = bias_ * constant[l];
    add_products(row, weights_.data(), lanes_, out);
  }

  /// w . x, of one problem.
  T score(const SparseRow& row) const {
    return bias_ * of(cols_)[0] + product(row, weights_.data());
  }

  /// w_l += factors[l] x for each lane.
  void add(const SparseRow& row, const T* factors) {
    T* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) constant[l] += bias_ * factors[l];
    add_row(row, factors, lanes_, weights_.data());
  }

 private:
  std::size_t cols_ = 0;
  T bias_ = 0;
  std::size_t lanes_ = 0;
  std::vector<T> weights_;
};

}  // namespace semblance::linear
