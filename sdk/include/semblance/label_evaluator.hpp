// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/evaluator.hpp"

namespace semblance {

/// The true and the predicted class of each test sample, as indices into `classes`.
struct PredictedLabels {
  std::span<const std::int32_t> truth;
  std::span<const std::int32_t> predicted;  ///< by predicted_class()
  std::span<const std::string> classes;     ///< at least 2
};

/// The simplest way to define an evaluator: one function of the true and the predicted classes.
/// There is at least one test sample, and every test sample has a label. To evaluate the scores
/// themselves, derive from Evaluator.
///
///     class Kappa final : public LabelEvaluator {
///      public:
///       static Declaration<Kappa> declare();
///
///      private:
///       void evaluate_labels(const PredictedLabels& test, Report& report,
///                            Context& context) const override;
///     };
class LabelEvaluator : public Evaluator {
 public:
  void evaluate(const Results& test, Report& report, Context& context) const final;

 protected:
  virtual void evaluate_labels(const PredictedLabels& test, Report& report,
                               Context& context) const = 0;
};

/// Throws Error unless there are test samples, each with a label and one score per class, and no
/// score is NaN.
void check_labelled_scores(const Results& test);

/// The same, but rows may lack a label. Returns the rows with a label; throws Error if there are
/// none.
std::vector<std::size_t> labelled_rows(const Results& test);

}  // namespace semblance
