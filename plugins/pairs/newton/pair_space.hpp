// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairs {

/// One value per pair of examples: f(u, v) = q(u) + q(v) + phi_u' A phi_v with q(u) = h phi_u +
/// phi_u' D phi_u, for feature vectors phi of m values. Row-major; D may be empty.
struct QuadraticForm {
  std::vector<double> cross;   ///< A, m x m, symmetric; empty: 0
  std::vector<double> own;     ///< D, m x m, symmetric; empty: 0
  std::vector<double> linear;  ///< h; empty: 0

  bool empty() const noexcept { return cross.empty() && own.empty() && linear.empty(); }
};

/// Rows z_i with <z_i, z_j> = k(x_i, x_j): the examples themselves for the linear kernel, else a
/// Cholesky factor of the standard kernel's matrix.
struct Factor {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> values;
  std::vector<float> singles = {};  ///< the same in float32, where it is trained on
  /// For a Cholesky factor: the examples that span the space (up to the tolerance), and the square
  /// lower triangle of their rows: z = inverse(triangle) (k(pivot, x))_pivots.
  std::vector<std::int32_t> pivots;
  std::vector<double> triangle;

  /// Of the rows, or of the squares of their values.
  static Factor of_rows(MatrixView rows, bool squared = false);
  /// The factor of a positive semi-definite matrix, or of the squares of its values; pivots until
  /// the remaining diagonal is below `tolerance` times its largest value.
  static Factor of_matrix(MatrixView matrix, bool squared, double tolerance);

  void add_singles() { singles.assign(values.begin(), values.end()); }
};

/// One part of a pair kernel that is a sum: weights of K_SD, K_ML and K_TL on the kernel of a
/// factor. With V_T, V_M symmetric m x m matrices and v a vector, f(c, d) = sqrt(w_T) z_c' V_T z_d
/// + sqrt(w_M) 1/2 (z_c - z_d)' V_M (z_c - z_d) + sqrt(w_S / 2) v'(z_c + z_d) is the inner product
/// of (V_T, V_M, v) with the pair's features, whose inner products are the pair kernel.
struct FormPart {
  PairKernelSum::Weights weights;
  const Factor* factor = nullptr;

  bool tensor() const noexcept { return weights.tensor_learning > 0; }
  bool metric() const noexcept { return weights.metric_learning > 0; }
  bool direct() const noexcept { return weights.symmetric_direct_sum > 0; }
};

/// The space of the weights w of a pairwise decision function: for each part V_T, V_M and v, unless
/// their weight is 0, concatenated.
class PairSpace {
 public:
  explicit PairSpace(std::vector<FormPart> parts);

  const std::vector<FormPart>& parts() const noexcept { return parts_; }
  std::size_t dimension() const noexcept { return dimension_; }
  std::size_t examples() const noexcept { return parts_.front().factor->rows; }

  /// The start of each of a part's weights.
  struct Offsets {
    std::size_t tensor = 0, metric = 0, direct = 0;
  };
  const Offsets& offsets(std::size_t part) const noexcept { return offsets_[part]; }

  /// A part of w as the corresponding quadratic form of factor rows.
  QuadraticForm form(std::size_t part, const std::vector<double>& w) const;

 private:
  std::vector<FormPart> parts_;
  std::vector<Offsets> offsets_;
  std::size_t dimension_ = 0;
};

/// Converts a quadratic form of factor rows to one of the standard kernel's values to the pivots.
QuadraticForm on_pivots(QuadraticForm form, const Factor& factor);

}  // namespace semblance::pairs
