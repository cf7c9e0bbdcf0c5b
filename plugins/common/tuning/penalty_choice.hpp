// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

/// The choice of a penalty by exact leave-one-out errors, which ridge regression gives at no cost
/// worth mentioning (Allen 1974: PRESS).
namespace semblance::common {

/// The samples that are left out in turn.
struct LeftOutSamples {
  std::vector<std::size_t> rows;         ///< positions of the training samples with a weight
  std::span<const double> weights;       ///< of all training samples; empty: 1 each
  std::span<const std::string> targets;  ///< names

  double weight(std::size_t place) const noexcept {
    return weights.empty() ? 1 : weights[rows[place]];
  }
};

/// A figure of a penalty's leave-one-out errors, besides their mean square.
struct LeftOutFigure {
  std::string column;    ///< of the table `penalties`
  std::string reported;  ///< name under which that of the best penalty is reported; empty: it isn't
  /// `left_out` is samples x targets, in the order of LeftOutSamples::rows; `squares` has the
  /// weighted mean of squared errors of each target.
  std::function<double(const LeftOutSamples& samples, std::span<const double> left_out,
                       std::span<const double> squares)>
      of;
  bool chooses = true;     ///< whether the penalty is chosen by it; otherwise by the mean square
  bool logarithm = false;  ///< it may be negative: a logarithm of what is compared
};

/// The mean over the targets of mean squared error / variance, 0 for a constant target. `targets`
/// is all training samples x targets.
LeftOutFigure relative_error(const LeftOutSamples& samples, std::span<const double> targets);

/// The leave-one-out errors of one penalty.
struct PenaltyTrial {
  double penalty = 0;
  double objective = 0;
  double gradient_norm = 0;
  std::vector<double> squares;  ///< by target: weighted mean of squared errors; empty: unknown
  double figure = 0;            ///< a LeftOutFigure

  double mean_square() const noexcept;
};

/// Sets the errors of a trial. `left_out` as in LeftOutFigure; or empty, if they are unknown.
void set_errors(std::span<const double> left_out, const LeftOutSamples& samples,
                const LeftOutFigure& figure, PenaltyTrial& trial);

/// Fills `scores`, if it has rows, as LeftOutScores asks: with the estimates of samples by the fits
/// to all others. `left_out` are errors as in LeftOutFigure, of `targets` (as in relative_error()).
/// A single target makes the scores -f and f of two classes. `machine` has learned. Throws Error if
/// the errors are unknown.
void write_left_out(std::span<const double> left_out, const LeftOutSamples& samples,
                    std::span<const double> targets, const Rows& rows, const Transform& machine,
                    MutableMatrixView scores, Context& context);

/// The trial with the smallest figure or mean square; ties, also those but for rounding (see
/// better_candidate.hpp), go to the larger penalty.
std::size_t best_trial(std::span<const PenaltyTrial> trials, const LeftOutFigure& figure) noexcept;

/// The figures that report_trials() reports.
std::vector<FigureInfo> penalty_figures();

/// The figure of relative_error() in the table of penalties.
FigureInfo relative_error_figure();

/// Reports the best trial, a table and a curve of all if there are several, and each target's
/// errors if there are several targets. Warns if the best one is at an end of the range and the
/// next one is worse by more than 1 %.
void report_trials(std::span<const PenaltyTrial> trials, const LeftOutSamples& samples,
                   const LeftOutFigure& figure, Report& report, Context& context);

/// Throws Error if a value is listed twice.
void check_penalties(std::vector<double> penalties);

/// The parameters `penalty`, `penalties` and `intercept` of a machine that fits numbers. A
/// component derives from it.
class PenaltyParameters {
 protected:
  struct Text {
    const char* penalty;
    Constraint least = above(0);
    const char* intercept =
        "add a constant that is not penalized; without it, estimates shrink towards 0";
  };
  template <class T>
  static Declaration<T>& declare_penalty(Declaration<T>& declaration, const Text& text) {
    return declaration.parameter("penalty", &PenaltyParameters::penalty_, text.penalty, text.least)
        .parameter("penalties", &PenaltyParameters::penalties_,
                   "candidates, instead of `penalty`: the one with the smallest leave-one-out "
                   "error is used",
                   above(0))
        .parameter("intercept", &PenaltyParameters::intercept_, text.intercept)
        .reports(penalty_figures())
        .reports(relative_error_figure());
  }
  std::vector<double> candidates() const {
    return penalties_.empty() ? std::vector{penalty_} : penalties_;
  }

  double penalty_ = 1;
  std::vector<double> penalties_;
  bool intercept_ = true;
};

/// Fits for several penalties, of which the best is stored. A Fit has the members penalty,
/// objective, gradient_norm, left_out (as in LeftOutFigure) and unknown, the number of samples
/// whose errors have few digits. It may have a member `figure`, the LeftOutFigure if it is set.
template <class Fit>
class PenaltyChoice {
 public:
  /// `constant`: the fit to begin with.
  PenaltyChoice(LeftOutSamples samples, LeftOutFigure figure, Fit constant)
      : samples_(std::move(samples)), figure_(std::move(figure)), best_(std::move(constant)) {}

  /// Calls fit(penalty) for each. If that throws, best() is the best of those before.
  template <class MakeFit>
  void choose(std::span<const double> penalties, Context& context, const MakeFit& fit) {
    if (penalties.size() > 1 && samples_.rows.size() < 2)
      throw Error(
          "leave-one-out errors need two samples with a weight, but there is one; set 'penalty' "
          "instead of 'penalties'");
    for (const double penalty : penalties) {
      context.progress(static_cast<double>(trials_.size()), static_cast<double>(penalties.size()));
      Fit made = fit(penalty);
      trials_.push_back({penalty, made.objective, made.gradient_norm, {}, 0});
      set_errors(made.left_out, samples_, figure_, trials_.back());
      if constexpr (requires { made.figure; })
        if (made.figure) trials_.back().figure = *made.figure;
      if (best_trial(trials_, figure_) + 1 == trials_.size()) best_ = std::move(made);
    }
  }

  const Fit& best() const noexcept { return best_; }
  Fit& best() noexcept { return best_; }  ///< to be refined; its errors are known by then

  void report(Report& report, Context& context) const {
    if (trials_.empty()) return report.number("penalty", best_.penalty);
    report_trials(trials_, samples_, figure_, report, context);
    if (best_.unknown > 0)
      context.log(LogLevel::warning,
                  "the leave-one-out errors of " + std::to_string(best_.unknown) +
                      " samples have few digits, as each alone determines a part of the fit; raise "
                      "the penalty");
  }

 private:
  LeftOutSamples samples_;
  LeftOutFigure figure_;
  Fit best_;
  std::vector<PenaltyTrial> trials_;
};

}  // namespace semblance::common
