// SPDX-License-Identifier: MIT
#include "verification_report.hpp"

#include <array>
#include <cmath>

namespace semblance::evaluators {
namespace {

constexpr std::array figure_names = {"eer", "fmr100", "fmr1000", "eer_threshold",
                                     "zero_threshold_error"};
using Figures = std::array<double, figure_names.size()>;

Figures figures_of(const DetectionError& test) {
  return {test.equal_error_rate(), test.false_non_match_rate_at(0.01),
          test.false_non_match_rate_at(0.001), test.equal_error_threshold(), test.error_at_zero()};
}

double standard_error(const std::vector<Figures>& all, double mean) {
  double squares = 0;
  for (const Figures& one : all) squares += (one[0] - mean) * (one[0] - mean);
  const auto n = static_cast<double>(all.size());
  return std::sqrt(squares / (n - 1) / n);
}

/// The mean of false_non_match_rate_at() over the tests, from the least false match rate that all
/// can distinguish from 0, at levels evenly spread in log(x / (1 - x)).
Curve mean_curve(const std::vector<std::pair<std::string, DetectionError>>& tests) {
  constexpr std::size_t levels = 200;
  Curve mean{"det_mean", "false_match_rate", "false_non_match_rate", {}, {}};
  double least = 0;
  for (const auto& [name, test] : tests)
    least = std::max(least, 1 / static_cast<double>(test.negative_pairs()));
  if (least >= 0.5) return mean;
  const double end = std::log((1 - least) / least);
  for (std::size_t i = 0; i < levels; ++i) {
    const double s = end * (2 * static_cast<double>(i) / (levels - 1) - 1);
    const double level = std::max(least, 1 / (1 + std::exp(-s)));
    double rate = 0;
    for (const auto& [name, test] : tests)
      rate += test.false_non_match_rate_at(level) / static_cast<double>(tests.size());
    if (rate <= 0 || rate >= 1) continue;  // no place on normal-deviate axes
    mean.x.push_back(level);
    mean.y.push_back(rate);
  }
  return mean;
}

}  // namespace

std::vector<FigureInfo> verification_declarations() {
  using enum FigureUnit;
  using enum Better;
  return {
      {"eer", "error rate at which both kinds of errors are equally frequent", share, lower, true},
      {"fmr100", "lowest false non-match rate at a false match rate of 1 %", share, lower},
      {"fmr1000", "lowest false non-match rate at a false match rate of 0.1 %", share, lower},
      {"eer_threshold", "score at which the error rates are equal"},
      {"zero_threshold_error", "share of pairs whose score has the wrong sign", share, lower},
      {"eer_sem", "standard error of the mean equal error rate", share, lower},
      {"det.false_match_rate", "share of different-class pairs that are accepted", share, lower},
      {"det.false_non_match_rate", "share of same-class pairs that are rejected", share, lower},
      {"det_*.false_match_rate", "share of different-class pairs that are accepted", share, lower},
      {"det_*.false_non_match_rate", "share of same-class pairs that are rejected", share, lower}};
}

void report_verification(const std::vector<std::pair<std::string, DetectionError>>& tests,
                         Report& report) {
  Table table{"solvers", "solver", "", {}, {figure_names.begin(), figure_names.end()}, {}};
  std::vector<Figures> all;
  Figures mean{};
  for (const auto& [name, test] : tests) {
    all.push_back(figures_of(test));
    table.rows.push_back(name);
    for (std::size_t f = 0; f < mean.size(); ++f) {
      table.values.push_back(all.back()[f]);
      mean[f] += all.back()[f] / static_cast<double>(tests.size());
    }
  }
  for (std::size_t f = 0; f < mean.size(); ++f) report.number(figure_names[f], mean[f]);
  if (tests.size() > 1) {
    report.number("eer_sem", standard_error(all, mean[0]));
    report.table(table);
    report.curve(mean_curve(tests));
  }
  for (const auto& [name, test] : tests)
    report.curve(test.curve(tests.size() == 1 ? "det" : "det_" + name));
}

}  // namespace semblance::evaluators
