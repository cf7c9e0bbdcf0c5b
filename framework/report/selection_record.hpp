// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"
#include "semblance/component_info.hpp"

namespace semblance {

/// One combination of values that a cross-validation tried.
struct TrialRecord {
  std::vector<std::string> values;  ///< one per parameter
  /// The figure on each held-out fold; NaN: undefined there. Empty: it failed.
  std::vector<double> folds;
  double mean = 0;  ///< over the folds
  /// The figure of the held-out samples of all folds together; nothing where the metric does not
  /// follow from the samples, or there is a single fold.
  std::optional<double> pooled = {};
  double deviation = 0;      ///< sample standard deviation of the folds
  double error = 0;          ///< standard error of the mean
  std::string failure = {};  ///< why there is no figure; empty otherwise
  bool dropped = false;      ///< after these folds: others were better (halving)

  /// The figure that decides.
  double figure() const noexcept { return pooled.value_or(mean); }
};

/// How parameters were chosen: by cross-validation before a run, or by a step of a study.
struct SelectionRecord {
  std::string metric;                   ///< "test.error_rate"
  FigureUnit unit = FigureUnit::plain;  ///< of the metric
  bool higher_is_better = false;
  std::size_t folds = 0;
  bool leave_one_out = false;        ///< the only fold: each sample is tested with a model of all
                                     ///< other samples
  std::vector<std::string> repeats;  ///< of a step: the blocks of the figures, instead of folds
  double within = 0;  ///< by how much the choice may be worse, as a share of the best mean
  RoundedNumbers numbers = {};          ///< that values of trials round
  std::vector<std::string> parameters;  ///< empty: the pipeline was only cross-validated
  std::vector<TrialRecord> trials;
  std::size_t chosen = 0;   ///< index into trials
  double seconds = 0;       ///< duration of the selection
  std::size_t halving = 0;  ///< Selection::halving
};

/// Drops all but the best trials, by their figures over the folds so far: the number of those that
/// were not dropped before, divided by `halving` and rounded up, but at least `fewest_trials`.
/// Trials that equal the last of these stay, too.
void drop_trials(SelectionRecord& selection);
inline constexpr std::size_t fewest_trials = 3;

/// Computes the trials' means and chooses the first trial that equals the best figure up to
/// rounding (same_figure()), or is worse by at most the share `within`; dropped trials are not
/// chosen. Throws Error, naming a reason, if all failed.
void choose(SelectionRecord& selection);

/// "C=10, gamma=0.5"
std::string values_text(const SelectionRecord& selection, const TrialRecord& trial);

/// A remark for every parameter with three or more numbers whose chosen one is the smallest or the
/// greatest: the best value may be beyond it. Omitted if another value is as good, or worse by no
/// more than one standard error. Empty: there is no remark.
std::string edge_remark(const SelectionRecord& selection);

/// The same for the best method of a study, with its slots as parameters.
std::string edge_remark(const ResultTable& table, const Comparison& comparison);

/// {"metric", "unit", "better", "folds", "chosen": {NAME: VALUE}, "value", "mean", "deviation",
/// "standard_error", "trials": […]}: `value` decides, `mean` is that of the folds; for
/// leave-one-out `folds` is that word, and there are no deviations.
nlohmann::ordered_json selection_json(const SelectionRecord& selection);

}  // namespace semblance
