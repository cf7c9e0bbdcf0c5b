// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

/// The choice of a penalty by exact leave-one-out errors, which ridge regression gives at no cost
/// worth mentioning (Allen 1974: PRESS).
namespace semblance::common {

/// The leave-one-out errors of one penalty.
struct PenaltyTrial {
  double penalty = 0;
  double objective = 0;
  double gradient_norm = 0;
  std::vector<double> errors;  ///< by target: weighted mean of squared errors; empty: unknown
  double relative_error = 0;   ///< mean over the targets of errors / variance; 0 if constant
};

/// Sets the errors of a trial. `left_out` is samples x targets, in the order of `rows`, which are
/// the training samples with a weight.
void set_errors(std::span<const double> left_out, std::span<const std::size_t> rows,
                const TrainingSet& training, PenaltyTrial& trial);

/// The trial with the smallest relative error; ties go to the larger penalty.
std::size_t best_trial(std::span<const PenaltyTrial> trials) noexcept;

/// The figures that report_trials() reports.
std::vector<FigureInfo> penalty_figures();

/// Reports the best trial, a table and a curve of all of them if there are several, and the errors
/// of each target if there are several. Warns if the best one is at an end of the range.
void report_trials(std::span<const PenaltyTrial> trials, std::span<const std::string> targets,
                   Report& report, Context& context);

/// Throws Error if a value is listed twice.
void check_penalties(std::vector<double> penalties);

/// Fits for several penalties, of which the best is stored. A Fit has the members penalty,
/// objective, gradient_norm, left_out (as in set_errors()) and unknown, the number of samples whose
/// errors have few digits.
template <class Fit>
class PenaltyChoice {
 public:
  /// `rows`: the training samples with a weight. `constant`: the fit to begin with.
  PenaltyChoice(const TrainingSet& training, std::vector<std::size_t> rows, Fit constant)
      : training_(training), rows_(std::move(rows)), best_(std::move(constant)) {}

  /// Calls fit(penalty) for each. If that throws, best() is the best of those before.
  template <class MakeFit>
  void choose(std::span<const double> penalties, Context& context, const MakeFit& fit) {
    if (penalties.size() > 1 && rows_.size() < 2)
      throw Error(
          "leave-one-out errors need two samples with a weight, but there is one; set 'penalty' "
          "instead of 'penalties'");
    for (const double penalty : penalties) {
      context.progress(static_cast<double>(trials_.size()), static_cast<double>(penalties.size()));
      Fit made = fit(penalty);
      trials_.push_back({penalty, made.objective, made.gradient_norm, {}, 0});
      set_errors(made.left_out, rows_, training_, trials_.back());
      if (best_trial(trials_) + 1 == trials_.size()) best_ = std::move(made);
    }
  }

  const Fit& best() const noexcept { return best_; }

  void report(Report& report, Context& context) const {
    if (trials_.empty()) return report.number("penalty", best_.penalty);
    report_trials(trials_, training_.target_names, report, context);
    if (best_.unknown > 0)
      context.log(LogLevel::warning,
                  "the leave-one-out errors of " + std::to_string(best_.unknown) +
                      " samples have few digits, as each alone determines a part of the fit; raise "
                      "the penalty");
  }

 private:
  const TrainingSet& training_;
  std::vector<std::size_t> rows_;
  Fit best_;
  std::vector<PenaltyTrial> trials_;
};

}  // namespace semblance::common
