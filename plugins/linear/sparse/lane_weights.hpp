// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sparse/lanes.hpp"

namespace semblance::linear {

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
