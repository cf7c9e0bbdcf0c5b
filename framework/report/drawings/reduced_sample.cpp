// SPDX-License-Identifier: MIT
#include "report/drawings/reduced_sample.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/graph.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/two_parts.hpp"
#include "support/base64.hpp"

namespace semblance {

namespace {

std::string png_of(png_image& image, const std::uint8_t* pixels) {
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, 0);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr))
    throw Error("cannot make a PNG picture for the page: " + std::string(image.message));
  bytes.resize(size);
  return bytes;
}

constexpr std::size_t most_steps = 150, most_points = 200, most_symbols = 120, most_channels = 7,
                      most_entries = 12, most_drawn_nodes = 60;

constexpr std::size_t longest_reduced_side = 64;

/// Stores evenly spaced steps, and the first channels only.
void keep_steps(DrawnSample& sample, std::span<const float> row, std::size_t channels) {
  sample.depth = std::min(channels, most_channels);
  const std::size_t steps = std::min(sample.size, most_steps);
  for (std::size_t s = 0; s < steps; ++s) {
    const std::size_t step = steps > 1 ? s * (sample.size - 1) / (steps - 1) : 0;
    const float* values = row.data() + step * channels;
    sample.values.insert(sample.values.end(), values, values + sample.depth);
  }
}

void keep_points(DrawnSample& sample, std::span<const float> row, std::size_t dimension) {
  sample.depth = std::min<std::size_t>(dimension, 2);
  for (std::size_t p = 0; p < std::min(sample.size, most_points); ++p)
    for (std::size_t k = 0; k < sample.depth; ++k) sample.values.push_back(row[p * dimension + k]);
}

void spell(DrawnSample& sample, std::span<const float> row,
           const std::vector<std::string>& symbols) {
  for (std::size_t k = 0; k < std::min(sample.size, most_symbols); ++k)
    sample.text += is_new_symbol(row[k]) ? utf8(new_symbol(row[k]))
                                         : symbols.at(static_cast<std::size_t>(row[k]));
}

/// Lists the first values by name or number. Unnamed values that are too many become a line.
void keep_values(DrawnSample& sample, std::span<const float> row,
                 std::span<const std::string> columns) {
  if (columns.empty() && row.size() > most_listed_values) return keep_steps(sample, row, 1);
  const std::size_t kept = std::min(row.size(), most_listed_values);
  sample.values.assign(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t k = 0; k < kept; ++k)
    sample.columns.push_back(columns.empty() ? std::to_string(k) : columns[k]);
}

/// Stores the largest entries, each with its column's name or number.
void keep_entries(DrawnSample& sample, std::span<const float> row,
                  std::span<const std::string> columns, std::span<const std::uint32_t> places) {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return std::abs(row[a]) > std::abs(row[b]); });
  order.resize(std::min(order.size(), most_entries));
  for (const std::size_t k : order) {
    sample.values.push_back(row[k]);
    sample.columns.push_back(columns.empty() ? std::to_string(places[k]) : columns[places[k]]);
  }
}

std::string label_name(const GraphShape& shape, std::uint32_t label) {
  return label < shape.node_labels.size() ? shape.node_labels[label] : "new";
}

/// The places of the nodes, each with the number of its label; as text a line of edges, such as
/// "0-1 1-2", then a line with the label of each node.
void keep_drawn_graph(DrawnSample& sample, const GraphView& graph, const GraphShape& shape) {
  const std::vector<float> places = graph_layout(graph);
  sample.size = graph.nodes();
  sample.depth = 3;
  for (std::size_t e = 0; e < graph.edges(); ++e)
    sample.text += (e == 0 ? "" : " ") + std::to_string(graph.edge(e).from) + "-" +
                   std::to_string(graph.edge(e).to);
  for (std::size_t v = 0; v < graph.nodes(); ++v) {
    const std::uint32_t label = graph.node_label(v);
    sample.values.insert(sample.values.end(),
                         {places[2 * v], places[2 * v + 1], static_cast<float>(label)});
    if (!shape.node_labels.empty()) sample.text += "\n" + label_name(shape, label);
  }
}

/// Lists the numbers of nodes, of edges, and of nodes with each label, the most frequent first.
void keep_counted_graph(DrawnSample& sample, const GraphView& graph, const GraphShape& shape) {
  sample.columns = {"nodes", "edges"};
  sample.values = {static_cast<float>(graph.nodes()), static_cast<float>(graph.edges())};
  sample.size = sample.values.size();
  if (shape.node_labels.empty()) return;
  std::map<std::uint32_t, std::size_t> counts;
  for (std::size_t v = 0; v < graph.nodes(); ++v) ++counts[graph.node_label(v)];
  std::vector<std::pair<std::uint32_t, std::size_t>> order(counts.begin(), counts.end());
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::uint32_t, std::size_t>::second);
  order.resize(std::min(order.size(), most_entries - 2));
  for (const auto& [label, count] : order) {
    sample.columns.push_back("label " + label_name(shape, label));
    sample.values.push_back(static_cast<float>(count));
  }
  sample.size = sample.values.size();
}

void keep_graph(DrawnSample& sample, const GraphView& graph, const GraphShape& shape) {
  if (graph.nodes() <= most_drawn_nodes)
    keep_drawn_graph(sample, graph, shape);
  else
    keep_counted_graph(sample, graph, shape);
}

/// A picture in floating point: one or three planes, one after the other.
struct Planes {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 1;
  std::vector<double> values;

  double& at(std::size_t channel, std::size_t row, std::size_t column) {
    return values[(channel * height + row) * width + column];
  }
};

/// Each pixel is the mean of a square of the sample's pixels. For grids, and for pictures with
/// neither one nor three channels, it is the mean of all values there.
Planes reduced_planes(const Layout& layout, std::span<const float> row) {
  const bool planar = layout.kind == LayoutKind::image;
  const bool colours = planar && layout.depth == 3;
  const std::size_t side = reduced_by(layout.height, layout.width);
  Planes planes{(layout.height + side - 1) / side,
                (layout.width + side - 1) / side,
                colours ? std::size_t{3} : 1,
                {}};
  planes.values.resize(planes.channels * planes.height * planes.width);
  std::vector<double> counts(planes.values.size());
  const std::size_t pixels = layout.height * layout.width;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t pixel = planar ? k % pixels : k / layout.depth;
    const std::size_t channel = colours ? k / pixels : 0;
    const std::size_t place =
        (channel * planes.height + pixel / layout.width / side) * planes.width +
        pixel % layout.width / side;
    planes.values[place] += double{row[k]};
    ++counts[place];
  }
  for (std::size_t k = 0; k < counts.size(); ++k) planes.values[k] /= counts[k];
  return planes;
}

/// The values of black and white: 0 and 255 or 1, unless values exceed them.
std::pair<double, double> shades(const Planes& planes, bool stretched) {
  const auto [least, most] = std::ranges::minmax(planes.values);
  const double low = stretched ? least : std::min(0.0, least);
  const double high = stretched || most > 255 ? most : most > 1 ? 255 : 1;
  return {low, high > low ? high : low + 1};
}

void keep_picture(DrawnSample& sample, const Layout& layout, std::span<const float> row) {
  Planes planes = reduced_planes(layout, row);
  const auto [low, high] = shades(planes, layout.kind == LayoutKind::grid);
  std::vector<std::uint8_t> pixels;
  pixels.reserve(planes.values.size());
  for (std::size_t y = 0; y < planes.height; ++y)
    for (std::size_t x = 0; x < planes.width; ++x)
      for (std::size_t c = 0; c < planes.channels; ++c)
        pixels.push_back(static_cast<std::uint8_t>(
            std::lround(255 * std::clamp((planes.at(c, y, x) - low) / (high - low), 0.0, 1.0))));
  sample.text = picture_text(planes.width, planes.height, pixels);
}

/// A pair is shown by the numbers of its samples.
void name_parts(DrawnSample& sample, const PairView& pair) {
  sample.text = "first " + std::to_string(pair.part(Side::first).number) + ", second " +
                std::to_string(pair.part(Side::second).number);
}

}  // namespace

std::string picture_text(std::size_t width, std::size_t height,
                         std::span<const std::uint8_t> pixels) {
  const std::size_t count = width * height;
  if (count == 0 || (pixels.size() != count && pixels.size() != 3 * count))
    throw Error("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                " pixels cannot have " + std::to_string(pixels.size()) + " bytes");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = pixels.size() == count ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  return base64(png_of(image, pixels.data()));
}

std::size_t reduced_by(std::size_t height, std::size_t width) {
  return (std::max(height, width) + longest_reduced_side - 1) / longest_reduced_side;
}

DrawnSample reduced_sample(const Layout& layout, std::span<const float> values,
                           std::span<const std::string> columns,
                           std::span<const std::uint32_t> places) {
  DrawnSample sample;
  sample.kind = layout.kind;
  sample.size = layout.kind == LayoutKind::vector ? values.size() : values.size() / layout.depth;
  switch (layout.kind) {
    case LayoutKind::vector:
      keep_values(sample, values, columns);
      break;
    case LayoutKind::image:
    case LayoutKind::grid:
      keep_picture(sample, layout, values);
      break;
    case LayoutKind::sequence:
      keep_steps(sample, values, layout.depth);
      break;
    case LayoutKind::set:
      keep_points(sample, values, layout.depth);
      break;
    case LayoutKind::sparse:
      keep_entries(sample, values, columns, places);
      break;
    case LayoutKind::string:
      spell(sample, values, symbols_of(layout));
      break;
    case LayoutKind::graph:
      keep_graph(sample, GraphView(values, layout.shape), layout.shape);
      break;
    case LayoutKind::pair:
      name_parts(sample, PairView(values, layout));
      break;
  }
  return sample;
}

}  // namespace semblance
