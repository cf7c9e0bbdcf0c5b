// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "report/drawings/level_curves.hpp"
#include "report/page/page_data.hpp"

namespace semblance::page {
namespace {

/// The axis of a convergence is logarithmic.
bool is_drawn_at(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]) &&
         (curve.y[i] > 0 || !is_convergence(curve.name));
}

/// The lowest and the highest of the points [first, end), and one that interrupts the line.
std::vector<std::size_t> outermost(const Curve& curve, std::size_t first, std::size_t end) {
  std::optional<std::size_t> low, high, gap;
  for (std::size_t i = first; i < end; ++i) {
    if (!is_drawn_at(curve, i)) {
      gap = i;
      continue;
    }
    if (!low || curve.y[i] < curve.y[*low]) low = i;
    if (!high || curve.y[i] > curve.y[*high]) high = i;
  }
  std::vector<std::size_t> kept;
  for (const auto& place : {low, high, gap})
    if (place) kept.push_back(*place);
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t most) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  Curve out{curve.name, curve.x_label, curve.y_label, {}, {}};
  const std::size_t size = curve.x.size();
  const std::size_t bin = size <= most ? 1 : size / std::max<std::size_t>(most / 2, 1) + 1;
  for (std::size_t first = 0; first < size; first += bin)
    for (const std::size_t i : outermost(curve, first, std::min(first + bin, size))) {
      const bool drawn = is_drawn_at(curve, i);
      out.x.push_back(drawn ? curve.x[i] : gap);
      out.y.push_back(drawn ? curve.y[i] : gap);
    }
  return out;
}

bool has_points(const Curve& curve) {
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (is_drawn_at(curve, i)) return true;
  return false;
}

bool is_level(const Curve& curve, const std::vector<Curve>& all) {
  return std::ranges::any_of(
      all, [&](const Curve& other) { return curve.name == level_curve_of(other.name); });
}

std::vector<double> levels_of(const Curve& curve, const std::vector<Curve>& all) {
  std::vector<double> levels;
  for (const Curve& other : all)
    if (other.name == level_curve_of(curve.name))
      for (std::size_t i = 0; i < other.y.size(); ++i)
        if (is_drawn_at(other, i) && std::ranges::find(levels, other.y[i]) == levels.end())
          levels.push_back(other.y[i]);
  return levels;
}

}  // namespace semblance::page
