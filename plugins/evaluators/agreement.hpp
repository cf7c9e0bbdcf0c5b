// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::evaluators {

/// Figures of a confusion matrix.
class Agreement {
 public:
  /// `counts` is classes x classes, rows the true class, columns the predicted one, all of them
  /// whole numbers.
  Agreement(std::span<const double> counts, std::size_t classes, const Context& context);

  /// Rows of a class, rows that are assigned to it, and those of them that belong to it.
  double support(std::size_t c) const { return support_[c]; }
  double predicted(std::size_t c) const { return predicted_[c]; }
  double hits(std::size_t c) const { return hits_[c]; }

  /// Where nothing is divided, 0.
  double precision(std::size_t c) const;
  double recall(std::size_t c) const;

  /// The harmonic mean of precision and recall; 0 where both are.
  double f1(std::size_t c) const;

  /// The mean recall of the classes that have rows.
  double balanced_accuracy() const;

  /// The mean F1 of the classes that have rows or are predicted.
  double macro_f1() const;

  /// The mean F1 of the classes, each weighted by its rows.
  double weighted_f1() const;

  /// Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, 2004,
  /// eq. (8). 0 where it is undefined.
  double matthews_correlation() const;

  /// Whether all rows belong to one class, or are all assigned to one: then there is no
  /// correlation.
  bool correlation_undefined() const;

 private:
  std::vector<double> support_, predicted_, hits_;
  double rows_ = 0;
};

}  // namespace semblance::evaluators
