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
  /// `counts` is classes x classes (rows: true class, columns: predicted class), all integers.
  Agreement(std::span<const double> counts, std::size_t classes, const Context& context);

  /// The number of samples of a class, of samples assigned to it, and of those correctly assigned.
  double support(std::size_t c) const { return support_[c]; }
  double predicted(std::size_t c) const { return predicted_[c]; }
  double hits(std::size_t c) const { return hits_[c]; }

  /// 0 if there is nothing to divide.
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

  /// Whether all samples belong, or are assigned, to one class: then the correlation is undefined.
  bool correlation_undefined() const;

 private:
  std::vector<double> support_, predicted_, hits_;
  double rows_ = 0;
};

}  // namespace semblance::evaluators
