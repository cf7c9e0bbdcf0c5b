// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/explain/shares.hpp"

namespace semblance {
namespace {

/// Enough to see where, and few enough for a thousand evaluations.
constexpr std::size_t most_segments = 24, cells_per_side = 8;
/// A random order of the columns makes one row per column, of all columns: beyond this number they
/// take too much memory.
constexpr std::size_t most_sampled_columns = 4096;

/// The boundaries of `count` things in at most `most` ranges of nearly equal length.
std::vector<std::size_t> ranges(std::size_t count, std::size_t most) {
  const std::size_t pieces = std::min(count, most);
  std::vector<std::size_t> bounds(pieces + 1);
  for (std::size_t p = 0; p <= pieces; ++p)
    bounds[p] = p * count / std::max<std::size_t>(pieces, 1);
  return bounds;
}

std::string range_name(const char* one, const char* several, std::size_t first, std::size_t end) {
  if (end - first == 1) return std::string(one) + " " + std::to_string(first);
  return std::string(several) + " " + std::to_string(first) + " to " + std::to_string(end - 1);
}

SampleParts columns_of(std::size_t values, std::span<const std::string> names) {
  SampleParts parts;
  for (std::size_t k = 0; k < values; ++k) {
    parts.names.push_back(names.size() == values ? names[k] : "column " + std::to_string(k));
    parts.first.push_back(k);
    parts.count.push_back(1);
    parts.part_of.push_back(k);
  }
  return parts;
}

SampleParts segments_of(std::size_t steps, std::size_t depth, const char* one,
                        const char* several) {
  SampleParts parts;
  const std::vector<std::size_t> bounds = ranges(steps, most_segments);
  for (std::size_t p = 0; p + 1 < bounds.size(); ++p) {
    parts.names.push_back(range_name(one, several, bounds[p], bounds[p + 1]));
    parts.first.push_back(bounds[p]);
    parts.count.push_back(bounds[p + 1] - bounds[p]);
    parts.part_of.insert(parts.part_of.end(), parts.count.back() * depth, p);
  }
  return parts;
}

/// Pixels are planar, the values of a grid's cell adjacent.
SampleParts cells_of(const Layout& layout) {
  SampleParts parts;
  const auto rows = ranges(layout.height, cells_per_side),
             cols = ranges(layout.width, cells_per_side);
  std::vector<std::size_t> of_pixel(layout.height * layout.width);
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < cols.size(); ++c) {
      for (std::size_t y = rows[r]; y < rows[r + 1]; ++y)
        for (std::size_t x = cols[c]; x < cols[c + 1]; ++x)
          of_pixel[y * layout.width + x] = parts.names.size();
      parts.names.push_back(range_name("row", "rows", rows[r], rows[r + 1]) + ", " +
                            range_name("column", "columns", cols[c], cols[c + 1]));
      parts.first.push_back(rows[r] * layout.width + cols[c]);
      parts.count.push_back((rows[r + 1] - rows[r]) * (cols[c + 1] - cols[c]));
    }
  for (std::size_t k = 0; k < layout.size(); ++k)
    parts.part_of.push_back(
        of_pixel[layout.kind == LayoutKind::image ? k % of_pixel.size() : k / layout.depth]);
  return parts;
}

}  // namespace

std::string why_no_parts(const Layout& layout) {
  switch (layout.kind) {
    case LayoutKind::vector:
      if (layout.size() <= most_sampled_columns) return "";
      return "a sample has " + std::to_string(layout.size()) +
             " columns, and shares of more than " + std::to_string(most_sampled_columns) +
             " are not sampled";
    case LayoutKind::image:
    case LayoutKind::grid:
    case LayoutKind::sequence:
    case LayoutKind::string:
      return "";
    default:
      return "a sample is a " + describe(layout) +
             ", and only vectors, images, grids, series and strings have parts that another "
             "sample's can replace";
  }
}

SampleParts parts_of(const Layout& layout, std::size_t values,
                     std::span<const std::string> columns) {
  if (layout.kind == LayoutKind::image || layout.kind == LayoutKind::grid) return cells_of(layout);
  if (layout.kind == LayoutKind::sequence)
    return segments_of(values / layout.depth, layout.depth, "step", "steps");
  if (layout.kind == LayoutKind::string) return segments_of(values, 1, "symbol", "symbols");
  return columns_of(values, columns);
}

std::vector<float> stretched(const Layout& layout, std::span<const float> sample,
                             std::size_t values) {
  if (!layout.ragged() || sample.size() == values || sample.empty())
    return {sample.begin(), sample.end()};
  const std::size_t depth = layout.depth, from = sample.size() / depth, to = values / depth;
  std::vector<float> made(values);
  for (std::size_t s = 0; s < to; ++s) {
    const double place = to == 1 ? static_cast<double>(from - 1) / 2
                                 : static_cast<double>(s) * static_cast<double>(from - 1) /
                                       static_cast<double>(to - 1);
    const auto before = static_cast<std::size_t>(place);
    const std::size_t after = std::min(before + 1, from - 1);
    const double part = place - static_cast<double>(before);
    for (std::size_t k = 0; k < depth; ++k) {
      const double a = sample[before * depth + k], b = sample[after * depth + k];
      made[s * depth + k] = static_cast<float>(
          layout.kind == LayoutKind::string ? (part < 0.5 ? a : b) : a + part * (b - a));
    }
  }
  return made;
}

}  // namespace semblance
