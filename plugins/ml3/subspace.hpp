// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model_matrix.hpp"
#include "problem.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// Nearly orthonormal directions that contain most of the rows' variation, followed by the
/// constant's direction. Products of coordinates approximate those of whole rows.
class Subspace {
 public:
  /// For training samples that are all on this rank; found by a block power iteration on at most
  /// 2,048 of them.
  Subspace(const Problem& problem, std::size_t directions);

  std::size_t coordinates() const noexcept { return directions_.rows + (bias_ ? 1 : 0); }

  /// Coordinates of rows with their constant, problem.inputs() values each.
  void project(MatrixView rows, ModelMatrix& coordinates) const;

  /// An upper bound of the distance of |directions directions^T| from the identity.
  double defect() const noexcept { return defect_; }
  /// An upper bound of |coordinates from project() - exact ones| / |row|.
  double error() const noexcept;

 private:
  FloatMatrix directions_;  // one per row, without the constant
  bool bias_;
  double defect_ = 0;
  std::vector<numerics::PackedRows> slices_;  // of the directions' values
};

}  // namespace semblance::ml3
