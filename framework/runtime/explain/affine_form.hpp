// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/formula.hpp"

namespace semblance {

/// A formula that is affine in the row: result i is scale_i * row[column_i] + offset_i, or, where
/// results are sums over several columns, matrix row i times the row plus offset_i.
struct AffineForm {
  std::size_t inputs = 0;
  std::vector<double> offsets;       ///< one per result
  bool by_column = true;             ///< which of the two forms it has
  std::vector<std::size_t> columns;  ///< by_column
  std::vector<double> scales;        ///< by_column
  std::vector<double> matrix;        ///< otherwise: results x inputs

  std::size_t results() const noexcept { return offsets.size(); }
  /// Whether result i depends on value i alone.
  bool keeps_places() const noexcept;
};

/// Throws Error naming the part of the machine that is not affine.
AffineForm affine_form(const Formula& formula, Formula::Value result);

/// The matrix with all columns. Throws Error where it is too large.
std::vector<double> matrix_of(const AffineForm& form);

}  // namespace semblance
