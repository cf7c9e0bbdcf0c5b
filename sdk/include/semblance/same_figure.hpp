// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

namespace semblance {

/// Two figures are the same if they differ by no more than this share of the larger one. Figures
/// are quotients of counts, and means and differences of these. Figures that are equal in theory
/// differ in their last bits when summed in another order, by about 1e-13 for a thousand values.
/// Real differences are far larger: one error in a million samples is 1e-6.
inline constexpr double figure_resolution = 1e-12;

/// The largest difference that rounding can cause between equal figures of this magnitude.
inline double rounding_of(double magnitude) noexcept {
  return figure_resolution * std::abs(magnitude);
}

/// Whether two figures count as equal wherever something is ranked, chosen or marked as best.
inline bool same_figure(double a, double b) noexcept {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= rounding_of(std::max(std::abs(a), std::abs(b)));
}

/// Whether `a` is better than `b` by more than rounding. False if either is NaN.
inline bool better_figure(double a, double b, bool higher_is_better) noexcept {
  return (higher_is_better ? a > b : a < b) && !same_figure(a, b);
}

}  // namespace semblance
