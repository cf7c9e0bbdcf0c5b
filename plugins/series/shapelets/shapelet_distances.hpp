// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rocket/minirocket_kernels.hpp"
#include "semblance/matrix.hpp"
#include "shapelets/shapelet_bank.hpp"

namespace semblance::series {

/// Writes three figures for each shapelet into a series' row of `out`, which has bank.columns():
///
///     the least distance to a window of the series
///     the step where the first such window begins
///     the number of windows at a distance below the shapelet's threshold
///
/// The windows of a shapelet are all that have its length and dilation and lie in the series. The
/// distance is the sum of the absolute differences of all values, in all channels. If the shapelet
/// is normalized, so is each window, per channel: minus its mean, divided by its standard
/// deviation, or 0 if its values are all equal. A series too short for a window is continued by its
/// last step.
///
/// Values have magnitudes of at most rocket_largest_value. The bits depend neither on other series
/// nor on the machine. `poll` is called often and may throw.
///
/// Each lane has one window. Bound by vector operations: a subtraction, an absolute value and an
/// addition for each value, and five for each window.
void compare_with_shapelets(const ShapeletBank& bank, std::span<const SeriesView> series,
                            MutableMatrixView out, const std::function<void()>& poll);

/// The distances of one shapelet from all windows of a series, in their order; the same bits.
std::vector<float> shapelet_distances(const ShapeletBank& bank, std::size_t shapelet,
                                      const SeriesView& series);

/// Normalizes one window of one channel: `length` values, `apart` floats from each other.
void normalize_window(const float* window, std::size_t apart, std::size_t length, float* to);

}  // namespace semblance::series
