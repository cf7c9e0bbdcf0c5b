// SPDX-License-Identifier: MIT
#include "estimate_charts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bootstrap.hpp"
#include "plane.hpp"

namespace semblance::evaluators {
namespace {

constexpr std::size_t points_of_curve = 401, grid = 160, most_drawn = 4000;

/// The ends of an axis.
struct AxisRange {
  double low = 0;
  double high = 0;
};

/// Those of the least and the largest number, extended by a twentieth of their distance.
AxisRange range_of(std::span<const double> truth, std::span<const double> errors) {
  AxisRange range{truth[0], truth[0]};
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (const double number : {truth[i], truth[i] + errors[i]}) {
      range.low = std::min(range.low, number);
      range.high = std::max(range.high, number);
    }
  const double distance =
      range.high > range.low ? range.high - range.low : std::max(std::abs(range.low), 1.0);
  return {range.low - distance / 20, range.high + distance / 20};
}

}  // namespace

Curve error_curve(const std::string& name, std::span<const double> errors) {
  std::vector<double> sorted(errors.begin(), errors.end());
  std::ranges::sort(sorted);
  const auto rows = static_cast<double>(sorted.size());
  Curve curve{name, "error", "share_of_rows", {sorted[0]}, {0}};
  const std::size_t points = std::min(points_of_curve, sorted.size());
  for (std::size_t k = 1; k <= points; ++k) {
    const std::size_t end = k * sorted.size() / points;
    curve.x.push_back(sorted[end - 1]);
    curve.y.push_back(static_cast<double>(end) / rows);
  }
  return curve;
}

PlaneMap estimate_map(const std::string& name, std::span<const double> truth,
                      std::span<const double> errors) {
  const AxisRange range = range_of(truth, errors);
  PlaneMap map;
  map.name = name;
  map.x_label = "true_number";
  map.y_label = "estimate";
  map.groups = {"too low", "too high"};
  map.x_low = map.y_low = range.low;
  map.x_high = map.y_high = range.high;
  map.columns = map.rows = grid;
  map.regions.reserve(grid * grid);
  for (std::size_t y = 0; y < grid; ++y)
    for (std::size_t x = 0; x < grid; ++x) map.regions.push_back(y < x ? 0 : 1);
  map.marked_label = "largest_errors";
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  std::ranges::sort(sizes);
  constexpr double level = 0.95;
  const double large = quantile(sizes, level);
  const std::vector<bool> chosen = chosen_rows(0, truth.size(), most_drawn);
  for (std::size_t i = 0; i < truth.size(); ++i)
    if (chosen[i])
      map.points.push_back(
          {truth[i], truth[i] + errors[i], errors[i] < 0 ? 0 : 1, std::abs(errors[i]) > large});
  return map;
}

}  // namespace semblance::evaluators
