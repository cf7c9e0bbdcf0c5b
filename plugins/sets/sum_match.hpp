// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/row_similarity.hpp"

namespace semblance {

/// How well the points of two sets match, summed over points.
class SumMatch final : public RowSimilarityBase {
 public:
  static Declaration<SumMatch> declare();
  double operations() const noexcept override;

  /// The mean over all pairs is the inner product of the sets' means in the kernel's space
  /// (Haussler 1999). With best matches there is no such theorem.
  bool positive_semidefinite() const noexcept override { return !best_; }

 private:
  void compare_all(MatrixView bases, std::span<const float> x, float* values) const override;
  double score(std::span<const float> b, std::span<const float> x) const;

  double gamma_ = 1;
  bool best_ = false;
  bool normalize_ = true;
};

}  // namespace semblance
