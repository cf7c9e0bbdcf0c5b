// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::numerics {

/// The triangular factor L of a positive definite matrix M = L L^T of n x n values, in double. All
/// results have the same bits for any number of threads.
class DefiniteFactor {
 public:
  DefiniteFactor() = default;

  /// Factorises M, of which only the lower triangle is read (Cholesky). Nothing if M is not
  /// positive definite in double. Throws Cancelled on a stop request.
  static std::optional<DefiniteFactor> of_matrix(Vectors<double> matrix, Context& context);

  /// L = R^T for the first n columns of a RowTriangle, so that M = R^T R. Nothing if an entry of
  /// R's diagonal is 0.
  static std::optional<DefiniteFactor> of_triangle(const Vectors<double>& upper, std::size_t n);

  std::size_t size() const noexcept { return lower_.count(); }

  /// The smallest share of a diagonal value of M that was left as a pivot. M's rounding errors,
  /// relative to its diagonal, are amplified by its inverse, whatever the scales of rows and
  /// columns. 1 if made of a triangle.
  double least_pivot() const noexcept { return least_pivot_; }

  /// ln det M.
  double log_determinant() const noexcept;

  /// Replaces each row v of `vectors` (any number x n) by M^-1 v.
  void solve(Vectors<double>& vectors) const;
  /// Replaces each row v by L^-T v.
  void solve_transposed(Vectors<double>& vectors) const;

  /// forms[r] = v^T M^-1 v for each of the first forms.size() rows v of `vectors`, which are
  /// overwritten.
  void quadratic_forms(Vectors<double>& vectors, std::span<double> forms) const;

  /// The diagonal of M^-1 from value `start` on, as sums of squares; the last ones take the least
  /// time. Throws Cancelled on a stop request.
  std::vector<double> inverse_diagonal(Context& context, std::size_t start = 0) const;

 private:
  Vectors<double> lower_;
  double least_pivot_ = 1;
};

/// The triangular factor R of all rows x added to it: R^T R = sum x x^T, by Householder
/// reflections. It has twice the digits of a Cholesky factor of the sum, so that it serves where
/// columns are nearly dependent.
class RowTriangle {
 public:
  explicit RowTriangle(std::size_t cols);

  std::size_t cols() const noexcept { return stack_.cols(); }
  const Vectors<double>& upper() const noexcept { return stack_; }

  /// The row to write next; zero before. Call done() when it is complete.
  double* next() noexcept { return stack_.row(filled_); }
  void done() {
    if (++filled_ == stack_.count()) reduce();
  }
  /// Updates R with all rows since the last call.
  void reduce();

  /// R of the same rows and of `diagonal` times each of the first `count` unit vectors.
  RowTriangle with_diagonal(double diagonal, std::size_t count) const;

  /// Bytes of an object, with the scratch of reduce().
  static std::size_t bytes(std::size_t cols) noexcept;

 private:
  Vectors<double> stack_;  // R, then rows that are not part of it yet
  std::size_t filled_;
};

}  // namespace semblance::numerics
