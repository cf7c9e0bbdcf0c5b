// SPDX-License-Identifier: MIT
#include "layouts.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "python_component.hpp"
#include "runtime/rows/layout_json.hpp"

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

/// Text that is not UTF-8 gets replacement characters.
py::str text_of(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
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

py::object as_python(const nlohmann::ordered_json& value) {
  if (value.is_object()) {
    py::dict made;
    for (const auto& [name, entry] : value.items()) made[text_of(name)] = as_python(entry);
    return made;
  }
  if (value.is_array()) {
    py::list made;
    for (const auto& entry : value) made.append(as_python(entry));
    return made;
  }
  if (value.is_string()) return text_of(value.get_ref<const std::string&>());
  if (value.is_boolean()) return py::bool_(value.get<bool>());
  if (value.is_number_unsigned()) return py::int_(value.get<std::uint64_t>());
  if (value.is_number_integer()) return py::int_(value.get<std::int64_t>());
  if (value.is_number()) return py::float_(value.get<double>());
  return py::none();
}

py::object layout_dict(const Layout& layout) { return as_python(layout_json(layout)); }

}  // namespace semblance::python
