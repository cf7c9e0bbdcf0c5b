// SPDX-License-Identifier: MIT
#include "layouts.hpp"

#include <pybind11/stl.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "python_component.hpp"
#include "runtime/rows/layout_json.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// The value of this name as T; `missing` where there is none.
template <class T>
T get(const py::dict& said, const char* name, T missing) {
  return said.contains(name) ? py::cast<T>(said[name]) : std::move(missing);
}

std::size_t extent(const py::dict& said, const char* name) {
  const auto number = get<std::int64_t>(said, name, 1);
  if (number < 1 || number > std::numeric_limits<std::int32_t>::max())
    throw py::value_error("the " + std::string(name) +
                          " of a layout must be between 1 and 2147483647; got " +
                          std::to_string(number));
  return static_cast<std::size_t>(number);
}

/// Text that is not UTF-8 gets replacement characters.
py::str text_of(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

}  // namespace

Layout layout_from(const py::dict& said) {
  using Names = std::vector<std::string>;
  Layout layout{layout_named(get<std::string>(said, "kind", "")), extent(said, "height"),
                extent(said, "width"), extent(said, "depth")};
  layout.alphabet = get<std::string>(said, "alphabet", "");
  if (layout.kind == LayoutKind::string && layout.alphabet.empty())
    throw py::value_error("a layout of strings needs its alphabet");
  if (layout.kind == LayoutKind::graph) {
    const auto shape = py::cast<py::dict>(said["shape"]);
    const auto count = [&](const char* name) { return get<std::size_t>(shape, name, 0); };
    return Layout::graph({count("nodes"), count("edges"), get(shape, "directed", false),
                          count("node_attributes"), count("edge_attributes"),
                          get(shape, "node_labels", Names()), get(shape, "edge_labels", Names())});
  }
  if (layout.kind == LayoutKind::pair) {
    const auto parts = py::cast<std::vector<py::dict>>(said["parts"]);
    return Layout::pair(layout_from(parts.at(0)), layout_from(parts.at(1)));
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
