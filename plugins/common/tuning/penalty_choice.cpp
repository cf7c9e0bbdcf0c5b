// SPDX-License-Identifier: MIT
#include "tuning/penalty_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "semblance/parameters.hpp"
#include "tuning/better_candidate.hpp"

namespace semblance::common {
namespace {

void report_all(std::span<const PenaltyTrial> trials, const LeftOutFigure& figure, Report& report) {
  Table table{"penalties",
              "penalty",
              "",
              {},
              {"leave-one-out RMSE", figure.column, "objective", "relative gradient norm"},
              {}};
  Curve curve{"error_by_penalty", "penalty", "leave-one-out RMSE", {}, {}};
  for (const PenaltyTrial& trial : trials) {
    if (trial.squares.empty()) continue;
    const double rmse = std::sqrt(trial.mean_square());
    table.rows.push_back(to_text(Value(trial.penalty)));
    for (const double value : {rmse, trial.figure, trial.objective, trial.gradient_norm})
      table.values.push_back(value);
    curve.x.push_back(trial.penalty);
    curve.y.push_back(rmse);
  }
  report.table(table);
  report.curve(curve);
}

/// What the choice makes as small as possible.
double criterion(const PenaltyTrial& trial, const LeftOutFigure& figure) noexcept {
  if (figure.chooses && figure.logarithm) return std::exp(trial.figure);
  return figure.chooses ? trial.figure : trial.mean_square();
}

/// Without a word where the next penalty is as good but for 1 %: beyond the end little changes.
void warn_of_ends(std::span<const PenaltyTrial> trials, const PenaltyTrial& best,
                  const LeftOutFigure& figure, Context& context) {
  constexpr double little = 0.01;
  std::vector<PenaltyTrial> sorted(trials.begin(), trials.end());
  std::ranges::sort(sorted, {}, &PenaltyTrial::penalty);
  const bool smallest = best.penalty == sorted.front().penalty;
  if (!smallest && best.penalty != sorted.back().penalty) return;
  const double next = criterion(smallest ? sorted[1] : sorted[sorted.size() - 2], figure);
  if (criterion(best, figure) >= (1 - little) * next) return;
  context.log(LogLevel::warning, "the best penalty is the " +
                                     std::string(smallest ? "smallest" : "largest") + " tried, " +
                                     to_text(Value(best.penalty)) + "; set 'penalties' with " +
                                     (smallest ? "smaller" : "larger") + " ones");
}

}  // namespace

double PenaltyTrial::mean_square() const noexcept {
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  return squares.empty() ? 0 : sum / static_cast<double>(squares.size());
}

LeftOutFigure relative_error(const LeftOutSamples& samples, std::span<const double> targets) {
  const std::size_t m = samples.targets.size();
  std::vector<double> variances;
  for (std::size_t k = 0; k < m; ++k) {
    const double origin = targets[samples.rows.front() * m + k];
    double total = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < samples.rows.size(); ++i) {
      const double weight = samples.weight(i), y = targets[samples.rows[i] * m + k] - origin;
      total += weight;
      sum += weight * y;
      squares += weight * y * y;
    }
    variances.push_back((squares - sum * (sum / total)) / total);
  }
  return {
      "relative error", "",
      [variances](const LeftOutSamples&, std::span<const double>, std::span<const double> squares) {
        double relative = 0;
        for (std::size_t k = 0; k < squares.size(); ++k)
          if (variances[k] > 0) relative += squares[k] / variances[k];
        return relative / static_cast<double>(squares.size());
      }};
}

void set_errors(std::span<const double> left_out, const LeftOutSamples& samples,
                const LeftOutFigure& figure, PenaltyTrial& trial) {
  trial.squares.clear();
  trial.figure = 0;
  if (left_out.empty()) return;
  const std::size_t m = samples.targets.size();
  for (std::size_t k = 0; k < m; ++k) {
    double total = 0, sum = 0;
    for (std::size_t i = 0; i < samples.rows.size(); ++i) {
      const double weight = samples.weight(i), error = left_out[i * m + k];
      total += weight;
      sum += weight * error * error;
    }
    trial.squares.push_back(sum / total);
  }
  trial.figure = figure.of(samples, left_out, trial.squares);
}

void write_left_out(std::span<const double> left_out, const LeftOutSamples& samples,
                    std::span<const double> targets, const Rows& rows, const Transform& machine,
                    MutableMatrixView scores, Context& context) {
  if (scores.rows == 0 || context.stop_requested() != StopReason::none) return;
  if (left_out.empty())
    throw Error(
        "leave-one-out scores need two samples with a weight, but there is one; give more rows");
  const std::size_t m = samples.targets.size();
  for (std::size_t row = 0; row < scores.rows && !samples.weights.empty(); ++row)
    if (samples.weights[row] == 0)
      machine.apply(rows.view(row, 1), scores.rows_range(row, 1), context);
  for (std::size_t i = 0; i < samples.rows.size(); ++i) {
    float* to = scores.row(samples.rows[i]);
    for (std::size_t k = 0; k < m; ++k) {
      const double estimate = targets[samples.rows[i] * m + k] - left_out[i * m + k];
      to[scores.cols - m + k] = static_cast<float>(estimate);
      if (scores.cols > m) to[k] = static_cast<float>(-estimate);
    }
  }
}

std::size_t best_trial(std::span<const PenaltyTrial> trials, const LeftOutFigure& figure) noexcept {
  std::size_t best = 0;
  for (std::size_t t = 1; t < trials.size(); ++t) {
    const bool simpler = trials[t].penalty > trials[best].penalty;
    if (is_better_candidate(criterion(trials[t], figure), criterion(trials[best], figure), simpler))
      best = t;
  }
  return best;
}

std::vector<FigureInfo> penalty_figures() {
  return {{"penalty", "the given or chosen penalty"},
          {"leave_one_out_rmse",
           "root mean squared error of training samples, each estimated without itself; over all "
           "targets",
           FigureUnit::plain, Better::lower, true}};
}

FigureInfo relative_error_figure() {
  return {"penalties.relative error",
          "leave-one-out mean squared error over the target's variance, mean over the targets",
          FigureUnit::plain, Better::lower};
}

void check_penalties(std::vector<double> penalties) {
  std::ranges::sort(penalties);
  if (std::ranges::adjacent_find(penalties) != penalties.end())
    throw Error("'penalties' has a value twice; list each once");
}

void report_trials(std::span<const PenaltyTrial> trials, const LeftOutSamples& samples,
                   const LeftOutFigure& figure, Report& report, Context& context) {
  const PenaltyTrial& best = trials[best_trial(trials, figure)];
  report.number("penalty", best.penalty);
  if (best.squares.empty()) return;
  report.number("leave_one_out_rmse", std::sqrt(best.mean_square()));
  if (!figure.reported.empty()) report.number(figure.reported, best.figure);
  if (trials.size() > 1) {
    report_all(trials, figure, report);
    warn_of_ends(trials, best, figure, context);
  }
  if (samples.targets.size() < 2) return;
  Table table{"targets",
              "target",
              "",
              {samples.targets.begin(), samples.targets.end()},
              {"leave-one-out RMSE"},
              {}};
  for (const double square : best.squares) table.values.push_back(std::sqrt(square));
  report.table(table);
}

}  // namespace semblance::common
