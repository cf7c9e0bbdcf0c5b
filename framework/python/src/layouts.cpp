// SPDX-License-Identifier: MIT
#include "layouts.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "python_component.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

std::size_t extent(const py::handle& value, const std::string& name) {
  const auto number = py::cast<std::int64_t>(value);
  if (number < 1 || number > std::numeric_limits<std::int32_t>::max())
    throw py::value_error("the " + name + " of a layout must be between 1 and 2147483647; got " +
                          std::to_string(number));
  return static_cast<std::size_t>(number);
}

GraphShape shape_from(const py::dict& said) {
  GraphShape shape;
  const auto count = [&](const char* name) {
    return said.contains(name) ? py::cast<std::size_t>(said[name]) : std::size_t{0};
  };
  const auto names = [&](const char* name) {
    return said.contains(name) ? py::cast<std::vector<std::string>>(said[name])
                               : std::vector<std::string>();
  };
  shape.nodes = count("nodes");
  shape.edges = count("edges");
  shape.directed = said.contains("directed") && py::cast<bool>(said["directed"]);
  shape.node_attributes = count("node_attributes");
  shape.edge_attributes = count("edge_attributes");
  shape.node_labels = names("node_labels");
  shape.edge_labels = names("edge_labels");
  return shape;
}

py::dict shape_dict(const GraphShape& shape) {
  py::dict said;
  said["nodes"] = shape.nodes;
  said["edges"] = shape.edges;
  said["directed"] = shape.directed;
  said["node_attributes"] = shape.node_attributes;
  said["edge_attributes"] = shape.edge_attributes;
  said["node_labels"] = shape.node_labels;
  said["edge_labels"] = shape.edge_labels;
  return said;
}

}  // namespace

Layout layout_from(const py::dict& said) {
  Layout layout;
  layout.depth = 1;
  bool has_kind = false;
  for (const auto& [key, value] : said) {
    const auto name = py::cast<std::string>(key);
    if (name == "kind")
      layout.kind = layout_named(py::cast<std::string>(value)), has_kind = true;
    else if (name == "height")
      layout.height = extent(value, name);
    else if (name == "width")
      layout.width = extent(value, name);
    else if (name == "depth")
      layout.depth = extent(value, name);
    else if (name == "alphabet")
      layout.alphabet = py::cast<std::string>(value);
    else if (name == "shape")
      layout.shape = shape_from(py::cast<py::dict>(value));
    else if (name == "parts")
      for (const auto& part : py::cast<py::list>(value))
        layout.parts.push_back(layout_from(py::cast<py::dict>(part)));
    else
      throw py::value_error("a layout has no '" + name +
                            "'; it has kind, height, width, depth, alphabet, shape and parts");
  }
  if (!has_kind) throw py::value_error("a layout needs its kind, such as {'kind': 'vector'}");
  if (layout.kind == LayoutKind::string && layout.alphabet.empty())
    throw py::value_error("a layout of strings needs its alphabet");
  if (layout.kind == LayoutKind::graph) layout = Layout::graph(layout.shape);
  if (layout.kind == LayoutKind::pair) {
    if (layout.parts.size() != 2) throw py::value_error("a layout of pairs needs its two parts");
    layout = Layout::pair(layout.parts[0], layout.parts[1]);
  }
  return layout;
}

py::dict layout_dict(const Layout& layout) {
  py::dict said;
  said["kind"] = name(layout.kind);
  said["height"] = layout.height;
  said["width"] = layout.width;
  said["depth"] = layout.depth;
  if (layout.kind == LayoutKind::string) said["alphabet"] = layout.alphabet;
  if (layout.kind == LayoutKind::graph) said["shape"] = shape_dict(layout.shape);
  if (layout.kind == LayoutKind::pair) {
    py::list parts;
    for (const Layout& part : layout.parts) parts.append(layout_dict(part));
    said["parts"] = parts;
  }
  return said;
}

}  // namespace semblance::python
