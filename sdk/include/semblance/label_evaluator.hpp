// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/evaluator.hpp"

namespace semblance {

/// The true and the predicted class of each test row, as indices into `classes`.
struct PredictedLabels {
  std::span<const std::int32_t> truth;
  std::span<const std::int32_t> predicted;  ///< by predicted_class()
  std::span<const std::string> classes;     ///< at least 2
};

/// The simplest way to an evaluator: one function of the true and the predicted classes. There is
/// at least one test row, and each has its label. What judges the scores themselves is an
/// Evaluator.
///
///     class Kappa final : public LabelEvaluator {
///      public:
///       static Declaration<Kappa> declare();
///
///      private:
///       void judge(const PredictedLabels& test, Report& report, Context& context) const override;
///     };
class LabelEvaluator : public Evaluator {
 public:
  void evaluate(const Scored& test, Report& report, Context& context) const final;

 protected:
  virtual void judge(const PredictedLabels& test, Report& report, Context& context) const = 0;
};

/// Throws Error unless there are test rows, each with a label and one score a class, none of which
/// is NaN.
void check_labelled_scores(const Scored& test);

}  // namespace semblance
