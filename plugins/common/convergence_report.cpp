// SPDX-License-Identifier: MIT
#include "convergence_report.hpp"

#include <algorithm>
#include <utility>

namespace semblance::common {
namespace {

void report_over(std::vector<double> x, const std::string& label, std::vector<double> values,
                 const std::string& measure, double tolerance, Report& report) {
  std::string name = "convergence_by_" + label;
  std::ranges::replace(name, ' ', '_');
  const std::vector<double> ends{x.front(), x.back()};
  report.curve({name, label, measure, std::move(x), std::move(values)});
  report.curve({name + "_tolerance", label, measure, ends, {tolerance, tolerance}});
}

}  // namespace

void report_convergence(const std::vector<numerics::ConvergencePoint>& points,
                        const std::string& step, const std::string& measure, double tolerance,
                        Report& report) {
  if (points.size() < 2) return;
  std::vector<double> steps, seconds, values;
  for (const numerics::ConvergencePoint& point : points) {
    steps.push_back(static_cast<double>(point.step));
    seconds.push_back(point.seconds);
    values.push_back(point.value);
  }
  report_over(std::move(steps), step, values, measure, tolerance, report);
  report_over(std::move(seconds), "seconds", std::move(values), measure, tolerance, report);
}

}  // namespace semblance::common
