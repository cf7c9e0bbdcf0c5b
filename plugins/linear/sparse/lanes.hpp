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

/// The number of interleaved problems is one, or a multiple of this.
inline constexpr std::size_t lane_step = 4;

/// `count` rounded up to an allowed number of interleaved problems.
constexpr std::size_t padded_lanes(std::size_t count) noexcept {
  return count == 1 ? 1 : (count + lane_step - 1) / lane_step * lane_step;
}

/// One sparse row.
struct SparseRow {
  const float* values;
  const std::uint32_t* columns;
  std::size_t size;
  double at_centre = 0;  ///< m.x, of rows about a centre m
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

/// out[l] += sum_k values[k] weights[columns[k] * lanes + l].
void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out);

/// weights[columns[k] * lanes + l] += values[k] factors[l], for all k.
void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights);

/// The point m that is subtracted from all sparse rows, whose entries stay as they are.
struct Centre {
  std::span<const double> of_column = {};  ///< empty: 0
  double square = 0;                       ///< |m|^2

  explicit Centre(std::span<const double> m = {}) : of_column(m) {
    for (const double x : m) square += x * x;
  }
  /// m.x
  double product(const SparseRow& row) const noexcept {
    double sum = 0;
    for (std::size_t k = 0; k < row.size && !of_column.empty(); ++k)
      sum += of_column[row.columns[k]] * double{row.values[k]};
    return sum;
  }
};

/// Interleaved weight vectors of problems: the problems' weights per column, and for the constant
/// `bias` that is appended to every row.
///
/// With a centre m, rows are x - m, but only the columns that x has are read and written: a vector
/// is w = V - s m, where s is the sum of the factors with which rows were added. w.m is updated
/// along with it, so that w.(x - m) = V.x - s m.x - w.m takes a few operations more.
class LaneWeights {
 public:
  LaneWeights() = default;
  /// Weights of 0.
  LaneWeights(std::size_t cols, double bias, std::size_t problems, Centre centre = Centre())
      : cols_(cols),
        bias_(bias),
        lanes_(padded_lanes(problems)),
        centre_(centre),
        weights_((cols + 1) * lanes_) {
    if (centred()) sums_.resize(lanes_), at_centre_.resize(lanes_);
  }

  std::size_t lanes() const noexcept { return lanes_; }
  std::size_t columns() const noexcept { return cols_ + 1; }
  /// V of a column, or the weights of the constant, which come last: one per problem.
  double* of(std::size_t column) noexcept { return &weights_[column * lanes_]; }
  const double* of(std::size_t column) const noexcept { return &weights_[column * lanes_]; }

  bool centred() const noexcept { return !centre_.of_column.empty(); }
  /// s of a problem; 0 without a centre.
  double sum(std::size_t lane) const noexcept { return centred() ? sums_[lane] : 0; }

  /// w of a column, or of the constant, of one problem.
  double at(std::size_t column) const noexcept {
    const bool moved = column < centre_.of_column.size();
    return weights_[column] - (moved ? sums_[0] * centre_.of_column[column] : 0);
  }

  /// Without a centre.
  void fill(double value) { weights_.assign(weights_.size(), value); }

  /// Takes as many weights from others, which have no centre.
  void take(const LaneWeights& from) {
    weights_ = from.weights_;
    sums_.assign(sums_.size(), 0.0);
    at_centre_.assign(at_centre_.size(), 0.0);
    for (std::size_t j = 0; j < centre_.of_column.size(); ++j)
      for (std::size_t l = 0; l < lanes_; ++l) at_centre_[l] += of(j)[l] * centre_.of_column[j];
  }

  /// Adds t times the change from w to both of these; all have the same centre.
  void add_changes(const LaneWeights& one, const LaneWeights& two, double t) {
    const auto add = [t](std::vector<double>& to, const auto& a, const auto& b) {
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += t * (a[k] - to[k] + (b[k] - to[k]));
    };
    add(weights_, one.weights_, two.weights_);
    add(sums_, one.sums_, two.sums_);
    add(at_centre_, one.at_centre_, two.at_centre_);
  }

  /// out[l] = w_l . x for each lane.
  void scores(const SparseRow& row, double* out) const {
    const double* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) out[l] = bias_ * constant[l];
    for (std::size_t l = 0; l < sums_.size(); ++l)
      out[l] -= at_centre_[l] + sums_[l] * row.at_centre;
    add_products(row, weights_.data(), lanes_, out);
  }

  /// w . x, of one problem.
  double score(const SparseRow& row) const {
    const double found = bias_ * of(cols_)[0] + product(row, weights_.data());
    return centred() ? found - (at_centre_[0] + sums_[0] * row.at_centre) : found;
  }

  /// w_l += factors[l] x for each lane.
  void add(const SparseRow& row, const double* factors) {
    double* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) constant[l] += bias_ * factors[l];
    for (std::size_t l = 0; l < sums_.size(); ++l) {
      sums_[l] += factors[l];
      at_centre_[l] += factors[l] * (row.at_centre - centre_.square);
    }
    add_row(row, factors, lanes_, weights_.data());
  }

 private:
  std::size_t cols_ = 0;
  double bias_ = 0;
  std::size_t lanes_ = 0;
  Centre centre_;
  std::vector<double> weights_;
  std::vector<double> sums_, at_centre_;  // s and w.m; empty without a centre
};

}  // namespace semblance::linear
