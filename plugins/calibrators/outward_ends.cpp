// SPDX-License-Identifier: MIT
#include "outward_ends.hpp"

#include <cmath>
#include <limits>

namespace semblance::calibrators {

float rounded_down(double number) {
  const auto rounded = static_cast<float>(number);
  return double{rounded} > number ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
                                  : rounded;
}

float rounded_up(double number) { return -rounded_down(-number); }

std::vector<FigureInfo> held_out_figures() {
  using enum FigureUnit;
  using enum Better;
  return {{"held_out_coverage", "share of the held-out rows whose interval has the true number",
           share, none, true},
          {"mean_width", "mean width of the held-out rows' intervals, in the target's unit", plain,
           lower, true}};
}

void report_held_out(MatrixView intervals, const HeldOutEstimates& held_out, Report& report) {
  const std::size_t targets = held_out.names.size();
  double covered = 0, width = 0, total = 0;
  for (std::size_t i = 0; i < intervals.rows; ++i)
    for (std::size_t t = 0; t < targets; ++t) {
      const float* const of_target = intervals.row(i) + 3 * t;
      const double truth = held_out.targets[i * targets + t], weight = held_out.weight(i);
      total += weight;
      covered += of_target[0] <= truth && truth <= of_target[2] ? weight : 0;
      if (weight > 0) width += weight * (double{of_target[2]} - double{of_target[0]});
    }
  if (total == 0) return;
  report.number("held_out_coverage", covered / total);
  if (std::isfinite(width)) report.number("mean_width", width / total);
}

}  // namespace semblance::calibrators
