// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scored_rows.hpp"
#include "semblance/evaluator.hpp"

/// What evaluators that draw the plane share.
namespace semblance::evaluators {

/// Whether the source's samples are points of the plane.
bool is_plane(const Layout& layout) noexcept;

/// Calls body(row, sample) for all rows of points of the plane, a block at a time.
void for_each_point(
    const Dataset& data, const Context& context,
    const std::function<void(std::size_t row, std::span<const float> sample)>& body);

/// A square grid over the data and `margin` times their range around them on each side, row by row
/// from the lowest y. Throws Error where a point is not finite, or where `columns` values a point
/// of the grid do not fit the memory budget.
FloatMatrix plane_grid(const Dataset& data, std::size_t points, double margin, std::size_t columns,
                       Context& context);

/// An empty map of the plane where plane_grid() laid the probes.
PlaneMap map_of_grid(const Scored& test);

/// `most` of the rows [first, end), spread evenly: classes may take turns row by row, so never
/// every second one.
std::vector<bool> chosen_rows(std::size_t first, std::size_t end, std::size_t most);

}  // namespace semblance::evaluators
