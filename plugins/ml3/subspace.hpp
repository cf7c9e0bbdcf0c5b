// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model_matrix.hpp"
#include "problem.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// Nearly orthonormal directions that hold most of what rows differ in, and the constant's own
/// behind them: coordinates whose products come near those of the whole rows.
class Subspace {
 public:
  /// Of the training rows, all of which are here; found by a block power iteration on at most
  /// 2,048 of them.
  Subspace(const Problem& problem, std::size_t directions);

  std::size_t coordinates() const noexcept { return directions_.rows + (bias_ ? 1 : 0); }

  /// Coordinates of rows with their constant, problem.inputs() values each.
  void project(MatrixView rows, ModelMatrix& coordinates) const;

  /// At least how far |directions directions^T| is from the identity.
  double defect() const noexcept { return defect_; }
  /// At least |coordinates as project() rounds them - exact ones| / |row|.
  double error() const noexcept;

 private:
  FloatMatrix directions_;  // one a row, without the constant
  bool bias_;
  double defect_ = 0;
  std::vector<numerics::PackedRows> slices_;  // of the directions' values
};

}  // namespace semblance::ml3
