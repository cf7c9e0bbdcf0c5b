// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/formula.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/occurring_columns.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {

/// One linear function per class or target number or, for two classes, a single one f with the
/// scores (-f, f).
class LinearModel {
 public:
  LinearModel() = default;

  /// Takes the vectors of a solution: weights of these columns, then that of the constant `bias`
  /// unless that is 0. All other columns have the weight 0; only sparse rows may have some. Its
  /// offsets are added by add().
  LinearModel(const Vectors<double>& vectors, numerics::OccurringColumns columns,
              std::size_t classes, double bias);
  /// The same for all columns.
  LinearModel(const Vectors<double>& vectors, std::size_t inputs, std::size_t classes, double bias)
      : LinearModel(vectors, numerics::OccurringColumns(inputs), classes, bias) {}

  /// Adds a constant to each function; none if there are none.
  void add(std::span<const double> constants) {
    for (std::size_t c = 0; c < constants.size(); ++c) offsets_[c] += constants[c];
  }

  std::size_t inputs() const noexcept { return columns_.width(); }
  std::size_t classes() const noexcept { return classes_; }

  /// Throws Error for rows of another width, or without a model.
  void scores(MatrixView in, MutableMatrixView out) const;

  /// Prepares for sparse rows; scores() then takes only sparse rows.
  void take_sparse_rows();

  /// The scores as a formula. Throws Error without a model.
  Formula::Value write(Formula& formula, Formula::Value in) const;

  void save(StateWriter& state) const;
  static LinearModel load(const StateReader& state);

 private:
  void sparse_scores(MatrixView in, MutableMatrixView out) const;
  double weight(std::size_t vector, std::size_t place) const {
    return by_column_.lanes() > 0 ? by_column_.of(place)[vector]
                                  : weights_[vector * padded(columns_.size()) + place];
  }
  void set_score(std::size_t vector, double score, float* scores) const;
  std::size_t vectors() const noexcept { return offsets_.size(); }

  numerics::OccurringColumns columns_;
  std::size_t classes_ = 0;
  std::vector<double> weights_;  // vectors x padded(columns_.size()); none for sparse rows
  std::vector<double> offsets_;  // one per vector: bias times its weight
  LaneWeights by_column_;        // the weights for sparse rows
};

}  // namespace semblance::linear
