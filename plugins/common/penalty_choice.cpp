// SPDX-License-Identifier: MIT
#include "penalty_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "semblance/parameters.hpp"

namespace semblance::common {
namespace {

double root_mean(const std::vector<double>& squares) {
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  return std::sqrt(sum / static_cast<double>(squares.size()));
}

void report_all(std::span<const PenaltyTrial> trials, Report& report) {
  Table table{"penalties",
              "penalty",
              "",
              {},
              {"leave-one-out RMSE", "relative error", "objective", "relative gradient norm"},
              {}};
  Curve curve{"error_by_penalty", "penalty", "leave-one-out RMSE", {}, {}};
  for (const PenaltyTrial& trial : trials) {
    if (trial.errors.empty()) continue;
    table.rows.push_back(to_text(Value(trial.penalty)));
    for (const double value :
         {root_mean(trial.errors), trial.relative_error, trial.objective, trial.gradient_norm})
      table.values.push_back(value);
    curve.x.push_back(trial.penalty);
    curve.y.push_back(root_mean(trial.errors));
  }
  report.table(table);
  report.curve(curve);
}

void warn_of_ends(std::span<const PenaltyTrial> trials, const PenaltyTrial& best,
                  Context& context) {
  const auto [low, high] = std::ranges::minmax(trials, {}, &PenaltyTrial::penalty);
  if (best.relative_error == 0) return;
  const bool smallest = best.penalty == low.penalty;
  if (!smallest && best.penalty != high.penalty) return;
  context.log(LogLevel::warning, "the best of 'penalties' is the " +
                                     std::string(smallest ? "smallest" : "largest") + ", " +
                                     to_text(Value(best.penalty)) + "; add " +
                                     (smallest ? "smaller" : "larger") + " ones");
}

}  // namespace

void set_errors(std::span<const double> left_out, std::span<const std::size_t> rows,
                const TrainingSet& training, PenaltyTrial& trial) {
  trial.errors.clear();
  trial.relative_error = 0;
  if (left_out.empty()) return;
  const std::size_t targets = training.target_names.size();
  for (std::size_t k = 0; k < targets; ++k) {
    const double origin = training.targets[rows.front() * targets + k];
    double total = 0, sum = 0, squares = 0, errors = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double weight = training.weights.empty() ? 1 : training.weights[rows[i]];
      const double y = training.targets[rows[i] * targets + k] - origin;
      const double error = left_out[i * targets + k];
      total += weight;
      sum += weight * y;
      squares += weight * y * y;
      errors += weight * error * error;
    }
    trial.errors.push_back(errors / total);
    const double variance = squares - sum * (sum / total);
    if (variance > 0) trial.relative_error += errors / variance / static_cast<double>(targets);
  }
}

std::size_t best_trial(std::span<const PenaltyTrial> trials) noexcept {
  std::size_t best = 0;
  for (std::size_t t = 1; t < trials.size(); ++t)
    if (trials[t].relative_error < trials[best].relative_error ||
        (trials[t].relative_error == trials[best].relative_error &&
         trials[t].penalty > trials[best].penalty))
      best = t;
  return best;
}

std::vector<FigureInfo> penalty_figures() {
  return {{"penalty", "the given or chosen penalty"},
          {"leave_one_out_rmse",
           "root mean squared error of training samples, each estimated without itself; over all "
           "targets",
           FigureUnit::plain, Better::lower, true},
          {"penalties.relative error",
           "leave-one-out mean squared error over the target's variance, mean over the targets",
           FigureUnit::plain, Better::lower}};
}

void check_penalties(std::vector<double> penalties) {
  std::ranges::sort(penalties);
  if (std::ranges::adjacent_find(penalties) != penalties.end())
    throw Error("'penalties' has a value twice; list each once");
}

void report_trials(std::span<const PenaltyTrial> trials, std::span<const std::string> targets,
                   Report& report, Context& context) {
  const PenaltyTrial& best = trials[best_trial(trials)];
  report.number("penalty", best.penalty);
  if (best.errors.empty()) return;
  report.number("leave_one_out_rmse", root_mean(best.errors));
  if (trials.size() > 1) {
    report_all(trials, report);
    warn_of_ends(trials, best, context);
  }
  if (targets.size() < 2) return;
  Table table{"targets", "target", "", {targets.begin(), targets.end()}, {"leave-one-out RMSE"},
              {}};
  for (const double error : best.errors) table.values.push_back(std::sqrt(error));
  report.table(table);
}

}  // namespace semblance::common
