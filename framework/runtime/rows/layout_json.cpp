// SPDX-License-Identifier: MIT
#include "runtime/rows/layout_json.hpp"

#include <limits>

#include "semblance/error.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// The limit for the values of one sample.
constexpr std::size_t largest_extent = std::numeric_limits<std::int32_t>::max();

std::size_t extent_from_json(const Json& json, const char* name) {
  const Json& extent = json.at(name);
  if (!extent.is_number_unsigned() || extent.get<std::size_t>() > largest_extent)
    throw Error(std::string(name) + " is " + extent.dump() + ", not a number from 0 to 2147483647");
  return extent.get<std::size_t>();
}

Json shape_json(const GraphShape& shape) {
  return {{"nodes", shape.nodes},
          {"edges", shape.edges},
          {"directed", shape.directed},
          {"node_attributes", shape.node_attributes},
          {"edge_attributes", shape.edge_attributes},
          {"node_labels", shape.node_labels},
          {"edge_labels", shape.edge_labels}};
}

/// Graphs have the number of values that follows from their shape.
void check_shape(const Layout& layout) {
  if (layout.depth != 1 || Layout::graph(layout.shape).width != layout.width)
    throw Error("it claims a " + describe(layout) + " in " + std::to_string(layout.width) +
                " values");
}

GraphShape shape_from_json(const Json& json) {
  return {extent_from_json(json, "nodes"),
          extent_from_json(json, "edges"),
          json.at("directed").get<bool>(),
          extent_from_json(json, "node_attributes"),
          extent_from_json(json, "edge_attributes"),
          json.at("node_labels").get<std::vector<std::string>>(),
          json.at("edge_labels").get<std::vector<std::string>>()};
}

/// Pairs have the number of values that follows from the layouts of their samples.
void take_parts(const Json& json, Layout& layout) {
  if (!json.is_array() || json.size() != 2) throw Error("it claims a pair of other than two parts");
  for (const Json& part : json)
    if (part.at("kind") == name(LayoutKind::pair)) throw Error("it claims a pair of pairs");
  const std::size_t width = layout.width;
  const Layout read = Layout::pair(layout_from_json(json[0]), layout_from_json(json[1]));
  if (layout.depth != 1 || read.width != width || width > largest_extent)
    throw Error("it claims a " + describe(read) + " in " + std::to_string(width) + " values");
  layout = read;
}

}  // namespace

nlohmann::ordered_json layout_json(const Layout& layout) {
  Json json = {{"kind", name(layout.kind)},
               {"height", layout.height},
               {"width", layout.width},
               {"depth", layout.depth}};
  if (!layout.alphabet.empty()) json["alphabet"] = layout.alphabet;
  if (layout.kind == LayoutKind::graph) json["shape"] = shape_json(layout.shape);
  for (const Layout& part : layout.parts) json["parts"].push_back(layout_json(part));
  return json;
}

Layout layout_from_json(const Json& json) {
  Layout layout;
  const std::string kind = json.at("kind");
  bool known = false;
  for (const LayoutInfo& info : layouts())
    if (kind == info.name) layout.kind = info.kind, known = true;
  if (!known) throw Error("unknown layout '" + kind + "'");
  layout.height = extent_from_json(json, "height");
  layout.width = extent_from_json(json, "width");
  layout.depth = extent_from_json(json, "depth");
  if (json.contains("alphabet")) layout.alphabet = json.at("alphabet").get<std::string>();
  if (layout.height > 0 && layout.width > largest_extent / layout.height)
    throw Error("it claims a " + describe(layout));
  if (const auto cells = layout.height * layout.width;
      cells > 0 && layout.depth > largest_extent / cells)
    throw Error("it claims a " + describe(layout));
  if (layout.ragged() && (layout.height != 1 || layout.depth == 0))
    throw Error("it claims a " + describe(layout) + " of height " + std::to_string(layout.height));
  if (layout.kind == LayoutKind::graph) {
    layout.shape = shape_from_json(json.at("shape"));
    check_shape(layout);
  }
  if (layout.kind == LayoutKind::pair) take_parts(json.at("parts"), layout);
  return layout;
}

}  // namespace semblance
