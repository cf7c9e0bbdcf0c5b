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

}  // namespace

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
  }
  for (const auto& [name, test] : tests)
    report.curve(test.curve(tests.size() == 1 ? "det" : "det_" + name));
}

}  // namespace semblance::evaluators
