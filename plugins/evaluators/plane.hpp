// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scored_samples.hpp"
#include "semblance/evaluator.hpp"

/// Helpers for evaluators that draw the plane.
namespace semblance::evaluators {

/// Whether the source's samples are points of the plane.
bool is_plane(const Layout& layout) noexcept;

/// Calls body(row, sample) for all rows of points of the plane, a block at a time.
void for_each_point(
    const Dataset& data, const Context& context,
    const std::function<void(std::size_t row, std::span<const float> sample)>& body);

/// A square grid over the data, extended on each side by `margin` times their range, row by row
/// from the lowest y. Throws Error if a point is not finite, or if `columns` values per grid point
/// do not fit into the memory budget.
FloatMatrix plane_grid(const Dataset& data, std::size_t points, double margin, std::size_t columns,
                       Context& context);

/// An empty map of the plane where plane_grid() laid the probes.
PlaneMap map_of_grid(const Results& test);

/// `most` of the rows [first, end), spread evenly but not with a fixed step, since classes may
/// alternate row by row.
std::vector<bool> chosen_rows(std::size_t first, std::size_t end, std::size_t most);

}  // namespace semblance::evaluators
