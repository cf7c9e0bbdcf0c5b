// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "report/page/page_data.hpp"

namespace semblance::page {
namespace {

constexpr std::size_t mean_curve_points = 200;

/// The y at x, which must not be before the curve's first point.
double value_at(const Curve& curve, double x) {
  const auto next = std::ranges::upper_bound(curve.x, x);
  const auto i = static_cast<std::size_t>(next - curve.x.begin());
  if (i == curve.x.size()) return x > curve.x.back() ? 0 : curve.y.back();
  const double share = (x - curve.x[i - 1]) / (curve.x[i] - curve.x[i - 1]);
  return curve.y[i - 1] + share * (curve.y[i] - curve.y[i - 1]);
}

/// The operating points by false match rate; among several at one rate the last is the best.
Curve ascending(const Curve& curve) {
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      sorted.emplace_back(curve.x[i], -curve.y[i]);
  std::ranges::sort(sorted);
  Curve made{curve.name, curve.x_label, curve.y_label, {}, {}};
  for (const auto& [x, minus_y] : sorted) {
    made.x.push_back(x);
    made.y.push_back(-minus_y);
  }
  return made;
}

}  // namespace

Curve mean_det_curve(const std::vector<const Curve*>& curves) {
  std::vector<Curve> sound;
  double first = 0, last = 0;
  for (const Curve* curve : curves)
    if (Curve sorted = ascending(*curve); !sorted.x.empty()) {
      first = std::max(first, sorted.x.front());
      last = std::max(last, sorted.x.back());
      sound.push_back(std::move(sorted));
    }
  Curve mean{"mean_det", "", "", {}, {}};
  if (sound.empty()) return mean;
  mean.x_label = sound.front().x_label;
  mean.y_label = sound.front().y_label;
  const double from = std::log(first / (1 - first)), to = std::log(last / (1 - last));
  for (std::size_t i = 0; i < mean_curve_points && from <= to; ++i) {
    const double s = from + (to - from) * static_cast<double>(i) / (mean_curve_points - 1);
    const double x = std::clamp(1 / (1 + std::exp(-s)), first, last);
    double y = 0;
    for (const Curve& curve : sound) y += value_at(curve, x) / static_cast<double>(sound.size());
    if (y > 0) mean.x.push_back(x), mean.y.push_back(y);
  }
  return mean;
}

}  // namespace semblance::page
