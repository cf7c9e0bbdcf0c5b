// SPDX-License-Identifier: MIT
#pragma once

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

/// out[l] += sum_k values[k] weights[columns[k] * lanes + l].
void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out);

/// weights[columns[k] * lanes + l] += values[k] factors[l], for all k.
void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights);

/// Interleaved weight vectors of problems: the problems' weights per column, and for the constant
/// `bias` that is appended to every row.
class LaneWeights {
 public:
  LaneWeights() = default;
  LaneWeights(std::size_t cols, double bias, std::size_t problems)
      : cols_(cols), bias_(bias), lanes_(padded_lanes(problems)), weights_((cols + 1) * lanes_) {}

  std::size_t lanes() const noexcept { return lanes_; }
  std::size_t columns() const noexcept { return cols_ + 1; }
  /// The weights of a column, or of the constant, which comes last: one per problem.
  double* of(std::size_t column) noexcept { return &weights_[column * lanes_]; }
  const double* of(std::size_t column) const noexcept { return &weights_[column * lanes_]; }

  void fill(double value) { weights_.assign(weights_.size(), value); }

  /// out[l] = w_l . x for each lane.
  void scores(const SparseRow& row, double* out) const {
    const double* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) out[l] = bias_ * constant[l];
    add_products(row, weights_.data(), lanes_, out);
  }

  /// w_l += factors[l] x for each lane.
  void add(const SparseRow& row, const double* factors) {
    double* constant = of(cols_);
    for (std::size_t l = 0; l < lanes_; ++l) constant[l] += bias_ * factors[l];
    add_row(row, factors, lanes_, weights_.data());
  }

 private:
  std::size_t cols_ = 0;
  double bias_ = 0;
  std::size_t lanes_ = 0;
  std::vector<double> weights_;
};

}  // namespace semblance::linear
