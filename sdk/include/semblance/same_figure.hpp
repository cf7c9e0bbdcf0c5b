// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace semblance {

/// Two figures that differ by no more than this share of the greater are the same. Figures are
/// quotients of counts, and means and differences of such: what is equal in theory differs in its
/// last bits when it is added up in another order, a thousand values by some 1e-13. What data tell
/// apart is far from that: one error in a million rows is 1e-6.
inline constexpr double figure_resolution = 1e-12;

/// What rounding can make of a zero between figures of this magnitude.
inline double rounding_of(double magnitude) noexcept {
  return figure_resolution * std::abs(magnitude);
}

/// The rule by which figures are compared wherever something is ranked, chosen or marked as best.
inline bool same_figure(double a, double b) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= rounding_of(std::max(std::abs(a), std::abs(b)));
}

/// Whether `a` is better than `b`, and not only by rounding. False where one is NaN.
inline bool better_figure(double a, double b, bool higher_is_better) noexcept {
  return (higher_is_better ? a > b : a < b) && !same_figure(a, b);
}

}  // namespace semblance
