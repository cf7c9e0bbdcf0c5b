// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "semblance/report.hpp"

namespace semblance {

/// The largest number of points of a plane map in a page; of more points, an even sample is shown.
constexpr std::size_t most_points_of_plane = 4000;

/// The data that page/plane_map.js draws. Regions are runs along the rows of the grid, one after
/// the other: length, group, length, group, …; points that are not finite are omitted.
nlohmann::ordered_json plane_data(const PlaneMap& map, std::size_t most = most_points_of_plane);

/// The map as a figure; `node` is the name of its node.
std::string plane_chart_html(const PlaneMap& map, const std::string& node,
                             const std::string& caption = "");

}  // namespace semblance
