// SPDX-License-Identifier: MIT
#include "figures/plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::evaluators {
namespace {

/// A part of the plane.
struct Box {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -std::numeric_limits<double>::infinity();
  double y_low = std::numeric_limits<double>::infinity();
  double y_high = -std::numeric_limits<double>::infinity();

  void add(double x, double y) {
    x_low = std::min(x_low, x), x_high = std::max(x_high, x);
    y_low = std::min(y_low, y), y_high = std::max(y_high, y);
  }
};

Box box_of(const Dataset& data, double margin, const Context& context) {
  Box box;
  for_each_point(data, context, [&](std::size_t row, std::span<const float> sample) {
    if (!std::isfinite(sample[0]) || !std::isfinite(sample[1]))
      throw Error("row " + std::to_string(data.number(row)) +
                  " (counted from 0) is not finite, so it cannot be drawn in the plane");
    box.add(sample[0], sample[1]);
  });
  const double width = box.x_high - box.x_low, height = box.y_high - box.y_low;
  // Points on a line, or a single one, still get a surrounding part of the plane.
  const double least = std::max({width, height, 1e-3 * std::abs(box.x_low), 1e-3});
  const double x_space = std::max(margin * width, width > 0 ? 0 : least / 2);
  const double y_space = std::max(margin * height, height > 0 ? 0 : least / 2);
  return {box.x_low - x_space, box.x_high + x_space, box.y_low - y_space, box.y_high + y_space};
}

}  // namespace

bool is_plane(const Layout& layout) noexcept {
  return layout.kind == LayoutKind::vector && layout.size() == 2;
}

void for_each_point(
    const Dataset& data, const Context& context,
    const std::function<void(std::size_t row, std::span<const float> sample)>& body) {
  const std::size_t rows = data.outline().rows();
  FloatMatrix block(block_rows, 2);
  for (std::size_t first = 0; first < rows; first += block_rows) {
    context.check_stop();
    const std::size_t count = std::min(block_rows, rows - first);
    data.read(first, block.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) body(first + i, block.view().row_span(i));
  }
}

FloatMatrix DrawsPlane::grid(const Dataset& data, Context& context) const {
  const auto points = static_cast<std::size_t>(points_);
  const std::size_t columns = 2 + data.outline().classes.size();
  if (points * points * columns * sizeof(float) > context.memory_budget())
    throw MemoryError("a grid of " + std::to_string(points) + " x " + std::to_string(points) +
                      " points does not fit the memory budget; lower points");
  const Box box = box_of(data, margin_, context);
  FloatMatrix rows(points * points, 2);
  const auto at = [&](double low, double high, std::size_t i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    return static_cast<float>(low + share * (high - low));
  };
  for (std::size_t row = 0; row < points; ++row)
    for (std::size_t column = 0; column < points; ++column) {
      float* point = rows.view().row(row * points + column);
      point[0] = at(box.x_low, box.x_high, column);
      point[1] = at(box.y_low, box.y_high, row);
    }
  return rows;
}

PlaneMap map_of_grid(const Results& test) {
  PlaneMap map;
  map.x_label = "first value";
  map.y_label = "second value";
  map.columns = map.rows =
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(test.probes.rows))));
  const auto first = test.probes.row_span(0), last = test.probes.row_span(test.probes.rows - 1);
  map.x_low = first[0], map.y_low = first[1];
  map.x_high = last[0], map.y_high = last[1];
  map.regions.reserve(test.probes.rows);
  return map;
}

std::vector<bool> chosen_rows(std::size_t first, std::size_t end, std::size_t most) {
  std::vector<std::size_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), first);
  Random random(0);
  if (rows.size() > most) random.shuffle(std::span(rows));
  std::vector<bool> chosen(end);
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) chosen[rows[i]] = true;
  return chosen;
}

}  // namespace semblance::evaluators
