// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// An optional interface of solvers whose one training also gives the scores which each training
/// sample would get if it had been trained without that sample: what a calibrator with `folds:
/// leave_one_out` learns from. What was chosen with all samples (a penalty, C) stays as it is.
class LeftOutScores {
 public:
  virtual ~LeftOutScores();

  /// Why it cannot with its parameters, as "PREDICATE; REMEDY"; empty: it can.
  virtual std::string left_out_problem() const { return ""; }

  /// Whether a sample's scores are those without all samples of its group, TrainingSet::groups,
  /// too. By default, no: samples must have no groups then.
  virtual bool leaves_out_groups() const { return false; }

  /// Learner::train(), which also fills `left_out`, training samples x scores, in the order of the
  /// training set. Those of a sample of weight 0 are those of the machine itself. After a stop
  /// request they need not be filled.
  virtual void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                 Report& report, Context& context) = 0;
};

}  // namespace semblance
