// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The common part of solvers with class weights: the parameters `class_weights` and `balanced`. A
/// solver derives from it besides Solver, ends its declaration with with_class_weights(), calls
/// check_class_weights() in check_parameters(), and multiplies the loss of sample i by
/// row_weights()[i] in train(). A solver that holds samples out gets the weights of each such
/// training from row_weights() with these.
class ClassWeights {
 public:
  virtual ~ClassWeights();

  /// The names of the classes with a given weight.
  std::vector<std::string> weighted_classes() const;

  /// Throws Error if the weights do not suit these classes; called as soon as the classes are
  /// known. The default throws if a weight names an unknown class.
  virtual void check_classes(std::span<const std::string> classes) const;

  /// Whether `class_weights` or `balanced` is set.
  bool weights_classes() const noexcept { return balanced_ || !class_weights_.empty(); }

 protected:
  /// Throws Error if a weight is not a number above 0, or if `balanced` is set as well.
  void check_class_weights() const;

  /// The factor of each class, in their order: its given weight, else 1. With `balanced` it is the
  /// sum of all sample weights / (classes x the sum of the class's sample weights), which without
  /// sample weights is samples / (classes x samples of the class). Throws Error as check_classes()
  /// and check_weights() do.
  std::vector<double> class_factors(const TrainingSet& training) const;

  /// The same where only the samples train for which `trains` is not 0: they and their classes are
  /// counted.
  std::vector<double> class_factors(const TrainingSet& training,
                                    std::span<const char> trains) const;

  /// The factor of each training sample's loss: its class's factor times its own weight
  /// (TrainingSet::weights). Empty: 1 each. Throws Error as class_factors() does.
  std::vector<double> row_weights(const TrainingSet& training) const;

  /// The same where some samples are held out, which then have the factor 0: those of a training
  /// on the samples for which `trains` is not 0.
  std::vector<double> row_weights(const TrainingSet& training, std::span<const char> trains) const;

  /// Whether the classes' factors depend on which samples train.
  bool balances() const noexcept { return balanced_; }

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
                 "factors on the losses of a class's rows, by the name of the class: {spam: 5}; 1 "
                 "for a class that is not named")
      .parameter("balanced", &ClassWeights::balanced_,
                 "multiply the losses of each class's rows with rows / (classes x rows of the "
                 "class); where rows have weights, these are added up instead of counted. Of the "
                 "rows that train: in a cross-validation those that are not held out");
}

/// Throws Error unless the training set has no weights, or one per sample, finite, not negative,
/// and above 0 for some sample of each class.
void check_weights(const TrainingSet& training);

}  // namespace semblance
