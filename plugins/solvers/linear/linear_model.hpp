// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/state.hpp"
#include "sparse/lane_weights.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// A linear function a class; or, with two classes, a single one f with the scores (-f, f).
class LinearModel {
 public:
  LinearModel() = default;

  /// From the vectors of a solution, which end with the weight of the constant `bias` unless that
  /// is 0.
  LinearModel(const Vectors<double>& vectors, std::size_t inputs, std::size_t classes, double bias);

  std::size_t inputs() const noexcept { return inputs_; }
  std::size_t classes() const noexcept { return classes_; }

  /// Throws Error for rows of another width, or where there is no model.
  void scores(MatrixView in, MutableMatrixView out) const;

  /// Makes it ready for sparse rows; scores() takes no others then.
  void take_sparse_rows();

  /// The scores as a formula. Throws Error where there is no model.
  Formula::Value write(Formula& formula, Formula::Value in) const;

  void save(StateWriter& state) const;
  static LinearModel load(const StateReader& state);

 private:
  void sparse_scores(MatrixView in, MutableMatrixView out) const;
  std::vector<double> plain_weights() const;
  void set_score(std::size_t vector, double score, float* scores) const;
  std::size_t vectors() const noexcept { return offsets_.size(); }

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<double> weights_;  // vectors x padded(inputs_)
  std::vector<double> offsets_;  // one a vector: bias times its weight
  LaneWeights by_column_;        // the weights once more, for sparse rows
};

}  // namespace semblance::solvers
