// SPDX-License-Identifier: MIT
#include "report/page/similarity_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "report/page/chart.hpp"
#include "report/page/plane_chart.hpp"
#include "support/figure_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// A matrix this large is still quick to draw.
constexpr std::size_t most_rows = 300;

/// To four significant digits: more than a colour shows.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::max(std::abs(value), 1e-300))));
  return std::isfinite(scale) ? chart::number(std::round(value * scale) / scale)
                              : chart::number(value);
}

}  // namespace

bool is_similarity_matrix(const Table& table) {
  return table.name == "similarities" && table.rows.size() >= 2 && table.rows.size() <= most_rows &&
         table.rows == table.columns;
}

std::string similarity_matrix_html(const Table& table, const std::string& node) {
  const std::size_t n = table.rows.size();
  Json values = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(Json::array());
    for (std::size_t j = 0; j < n; ++j) values.back().push_back(rounded(table.values[i * n + j]));
  }
  return chart::figure_html(
      {"matrix", node + " " + words(table.name), "Similarities, ordered by class",
       "One row and one column per basis. Bright squares along the diagonal are classes whose "
       "samples are similar to each other."},
      {{"kind", "matrix"}, {"names", table.rows}, {"values", std::move(values)}});
}

bool is_plane_of_samples(const Table& table) {
  return table.name == "classical_scaling" && table.columns.size() == 2 && !table.rows.empty();
}

std::string plane_of_samples_html(const Table& table, const std::string& node) {
  PlaneMap map;
  map.name = table.name;
  map.x_label = table.columns[0];
  map.y_label = table.columns[1];
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    auto group = std::ranges::find(map.groups, table.rows[i]);
    if (group == map.groups.end()) group = map.groups.insert(group, table.rows[i]);
    map.points.push_back({table.values[2 * i], table.values[2 * i + 1],
                          static_cast<std::int32_t>(group - map.groups.begin()), false});
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double value = table.values[2 * i + axis];
      if (!std::isfinite(value)) continue;
      low[axis] = std::min(low[axis], value);
      high[axis] = std::max(high[axis], value);
    }
  }
  // Room around the points; an axis on which all are at one place has a width as well.
  const double most = std::max(high[0] - low[0], high[1] - low[1]);
  const double around = most > 0 ? 0.05 * most : 1;
  map.x_low = low[0] - around, map.x_high = high[0] + around;
  map.y_low = low[1] - around, map.y_high = high[1] + around;
  return plane_chart_html(map, node);
}

}  // namespace semblance
