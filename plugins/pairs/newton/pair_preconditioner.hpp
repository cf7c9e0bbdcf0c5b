// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "newton/pair_space.hpp"
#include "semblance/context.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::pairs {

/// An approximation of the inverse of H = I + 2C sum_A (Phi - mean)(Phi - mean)' that treats the
/// two examples of active pairs as independent, block by block: with N = 1/2 Z' diag(degrees) Z the
/// second moment of the ends, K_TL's block becomes V + 2C N V N / |A|; with N = sum_A (z_i -
/// z_j)(z_i - z_j)' K_ML's becomes V + C N V N / |A|, its mean removed (Isserlis); K_SD's becomes I
/// + C Z' diag(degrees) Z. In N's eigenvectors all are diagonal.
class PairPreconditioner {
 public:
  /// In the eigenvectors of N, whose eigenvalues are at least 0, all blocks are diagonal.
  using Block = numerics::SymmetricEigen<float>;
  struct Part {
    Block tensor, metric, direct;
  };

  PairPreconditioner(const PairSpace& space, double cost, Context& context);

  /// Learns from the active pairs: their number, the number of pairs per example, and the sum of
  /// their features. Retains its data unless the pairs have become far fewer. Collective.
  void update(double active, const std::vector<double>& degrees, const std::vector<double>& sum);

  /// out = approximately H^-1 r. Collective.
  void apply(const std::vector<double>& r, std::vector<double>& out) const;

 private:
  void solve(const Block& block, double factor, const double* r, double* out) const;

  const PairSpace& space_;
  double cost_;
  Context& context_;
  std::vector<Part> parts_;
  double learned_ = 0;  // pairs when the eigenvectors were computed
  double current_ = 0;  // pairs now
};

}  // namespace semblance::pairs
