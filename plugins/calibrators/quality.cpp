// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "probability_method.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance_numerics/probability_bins.hpp"
#include "temperature.hpp"

namespace semblance::calibrators {
namespace {

constexpr std::size_t bins = 10;

/// How good probabilities are, one row of them for each held-out row.
struct Quality {
  double error_rate = 0;
  double log_loss = 0;           ///< mean of -ln p of the true class, p at least 2^-52
  double calibration_error = 0;  ///< in 10 bins of equal width, for a sample's assigned class
};

FloatMatrix as_probabilities(const HeldOutScores& held_out) {
  FloatMatrix probabilities(held_out.scores);
  if (held_out.probabilities) return probabilities;
  for (std::size_t i = 0; i < probabilities.rows; ++i)
    scaled_softmax(held_out.scores.row_span(i), false, 1,
                   {probabilities.view().row(i), probabilities.cols});
  return probabilities;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

Quality quality_of(MatrixView probabilities, const HeldOutScores& held_out) {
  constexpr double least = least_probability;
  std::array<double, bins> said{}, happened{};
  Quality quality;
  double rows = 0;
  for (std::size_t i = 0; i < probabilities.rows; ++i) {
    const auto row = probabilities.row_span(i);
    const auto label = static_cast<std::size_t>(held_out.labels[i]);
    const double weight = held_out.weight(i);
    rows += weight;
    quality.log_loss -= weight * std::log(std::clamp(double{row[label]}, least, 1 - least));
    const auto best = static_cast<std::size_t>(predicted_class(row));
    const std::size_t bin = probability_bin(row[best], bins);
    said[bin] += weight * double{row[best]};
    happened[bin] += best == label ? weight : 0;
    quality.error_rate += best == label ? 0 : weight;
  }
  quality.log_loss /= rows;
  quality.error_rate /= rows;
  for (std::size_t b = 0; b < bins; ++b)
    quality.calibration_error += std::abs(said[b] - happened[b]) / rows;
  return quality;
}

/// Scores that are no numbers have no loss.
void report_if_it_exists(Report& report, const char* figure, double value) {
  if (!std::isnan(value)) report.number(figure, value);
}

}  // namespace

std::vector<FigureInfo> quality_figures() {
  using enum FigureUnit;
  using enum Better;
  return {
      {"held_out_log_loss",
       "mean of -ln p of the true class, over the held-out rows that it learned from", plain, lower,
       true},
      {"held_out_log_loss_before", "the same for the scores as they are, by their softmax", plain,
       lower},
      {"held_out_calibration_error",
       "mean difference between probability and observed share, over the same rows, in 10 bins",
       share, lower, true},
      {"held_out_calibration_error_before", "the same for the scores as they are, by their softmax",
       share, lower},
      {"held_out_changed", "number of these rows whose class differs from the solver's", count}};
}

void report_quality(const HeldOutScores& held_out, MatrixView after, Report& report,
                    Context& context) {
  const Quality now = quality_of(after, held_out);
  const Quality before = quality_of(as_probabilities(held_out).view(), held_out);
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < after.rows; ++i)
    changed += predicted_class(after.row_span(i)) != predicted_class(held_out.scores.row_span(i));
  report_if_it_exists(report, "held_out_log_loss", now.log_loss);
  report_if_it_exists(report, "held_out_log_loss_before", before.log_loss);
  report_if_it_exists(report, "held_out_calibration_error", now.calibration_error);
  report_if_it_exists(report, "held_out_calibration_error_before", before.calibration_error);
  report.integer("held_out_changed", changed);
  if (now.error_rate > before.error_rate + 0.01 && now.error_rate > 1.2 * before.error_rate)
    context.log(LogLevel::warning,
                percent(now.error_rate) + " of the held-out rows are given a wrong class, and " +
                    percent(before.error_rate) +
                    " by the solver: its scores can only be compared within a row, but each class "
                    "is looked at alone; use method: temperature, which keeps the classes");
}

}  // namespace semblance::calibrators
