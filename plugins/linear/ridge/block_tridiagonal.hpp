// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::linear {

using numerics::Vectors;

/// A symmetric matrix K as Q B Q^T, where Q is orthogonal and B has only blocks on and beside its
/// diagonal: made once in 8/3 n^3 operations, by block Householder reflections (Dongarra, Sorensen
/// and Hammarling 1989, Block reduction of matrices to condensed forms). Each K + p I then takes
/// about 200 n^2 operations, and not n^3. All results have the same bits for any number of threads.
class BlockTridiagonal {
 public:
  static constexpr std::size_t block = 64;

  BlockTridiagonal() = default;
  /// Only the lower triangle of `matrix` is read. Throws Cancelled on a stop request.
  BlockTridiagonal(Vectors<double> matrix, Context& context);

  std::size_t size() const noexcept { return q_.count(); }

  /// Replaces each row v of `vectors` by (K + p I)^-1 v, and sets the diagonal of the inverse.
  /// Returns the smallest share of a diagonal value of B + p I that was left as a pivot: its
  /// rounding errors are amplified by the inverse. 0 if K + p I is not positive definite in double;
  /// nothing is changed then. Throws Cancelled on a stop request.
  double solve(double p, Vectors<double>& vectors, std::span<double> inverse_diagonal,
               Context& context) const;

 private:
  class Factor;

  void reduce(Context& context);
  std::vector<double> reflect(std::size_t first, Vectors<double>& panel);
  void update(std::size_t first, const Vectors<double>& panel, const std::vector<double>& t,
              Context& context);
  void make_orthogonal(const std::vector<std::vector<double>>& factors, Context& context);

  Vectors<double> q_;                       // the matrix until it is reduced
  Vectors<double> diagonal_, subdiagonal_;  // blocks of B, one under the other
};

}  // namespace semblance::linear
