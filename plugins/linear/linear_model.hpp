// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/formula.hpp"
#include "semblance/state.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {

/// One linear function per class or target number or, for two classes, a single one f with the
/// scores (-f, f).
class LinearModel {
 public:
  LinearModel() = default;

  /// Takes the vectors of a solution, which end with the weight of the constant `bias` unless that
  /// is 0. Their offsets are added by add().
  LinearModel(const Vectors<double>& vectors, std::size_t inputs, std::size_t classes, double bias);

  /// Adds a constant to each function; none if there are none.
  void add(std::span<const double> constants) {
    for (std::size_t c = 0; c < constants.size(); ++c) offsets_[c] += constants[c];
  }

  std::size_t inputs() const noexcept { return inputs_; }
  std::size_t classes() const noexcept { return classes_; }

  /// Throws Error for rows of another width, or without a model.
  void scores(MatrixView in, MutableMatrixView out) const;

  /// Prepares for sparse rows; scores() then takes only sparse rows.
  void take_sparse_rows();

  /// The scores as a formula. Throws Error without a model.
  Formula::Value write(Formula& formula, Formula::Value in) const;

  /// Writes no weights of columns at the end that have none, if these are most: columns that an
  /// input provides for and no training sample has.
  void save(StateWriter& state) const;
  static LinearModel load(const StateReader& state);

 private:
  void sparse_scores(MatrixView in, MutableMatrixView out) const;
  /// Those of the first columns, one vector after the other.
  std::vector<double> plain_weights(std::size_t columns) const;
  std::size_t stored_columns() const;
  void set_score(std::size_t vector, double score, float* scores) const;
  std::size_t vectors() const noexcept { return offsets_.size(); }

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<double> weights_;    // vectors x padded(inputs_)
  std::vector<double> offsets_;    // one per vector: bias times its weight
  LaneWeights<double> by_column_;  // a copy of the weights, for sparse rows
};

}  // namespace semblance::linear
