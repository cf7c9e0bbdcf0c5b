// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// What solvers that can count some classes more than others have in common: their parameters
/// `class_weights` and `balanced`. A solver derives from it besides Solver, ends its declaration
/// with with_class_weights(), calls check_class_weights() in check_parameters(), and multiplies
/// what row i loses with row_weights()[i] in train().
class ClassWeights {
 public:
  virtual ~ClassWeights();

  /// The names of the classes whose weights are given.
  std::vector<std::string> weighted_classes() const;

  /// Throws Error where the weights do not suit these classes, which is asked as soon as they are
  /// known. As it is: where one is named that there is not.
  virtual void check_classes(std::span<const std::string> classes) const;

  /// Whether `class_weights` or `balanced` is set.
  bool weights_classes() const noexcept { return balanced_ || !class_weights_.empty(); }

 protected:
  /// Throws Error where a weight is no number above 0, or where `balanced` is set besides.
  void check_class_weights() const;

  /// Of each class, in their order: the weight that is given, else 1; or with `balanced` the sum of
  /// all rows' weights / (classes x the sum of its own rows' weights), which without sample weights
  /// is rows / (classes x rows of the class). Throws Error as check_classes() and check_weights().
  std::vector<double> class_factors(const TrainingSet& training) const;

  /// How much the loss of each training row counts: its class's factor times its own weight
  /// (TrainingSet::weights). Empty: 1 each. Throws Error as class_factors() does.
  std::vector<double> row_weights(const TrainingSet& training) const;

 private:
  template <class T>
  friend Declaration<T>& with_class_weights(Declaration<T>& declaration);

  NamedValues class_weights_;
  bool balanced_ = false;
};

/// Declares the parameters `class_weights` and `balanced` of a solver T that derives from
/// ClassWeights.
template <class T>
Declaration<T>& with_class_weights(Declaration<T>& declaration) {
  return declaration
      .parameter("class_weights", &ClassWeights::class_weights_,
                 "what the losses of a class's rows are multiplied with, by the name of the class: "
                 "{spam: 5}; 1 for a class that is not named")
      .parameter("balanced", &ClassWeights::balanced_,
                 "multiply the losses of each class's rows with rows / (classes x rows of the "
                 "class); where rows have weights, these are added up instead of counted");
}

/// Throws Error unless the training set's weights are none at all, or one a row, finite, not
/// negative, and above 0 for some row of each class.
void check_weights(const TrainingSet& training);

}  // namespace semblance
