// SPDX-License-Identifier: MIT
#include "reported.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::python {

namespace {

namespace py = pybind11;

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

/// The parts of a drawing, whose types Python has checked.
struct Parts {
  py::dict by_name;

  template <class Part>
  Part get(const char* name) const {
    return by_name[name].cast<Part>();
  }
  std::string text(const char* name) const { return get<std::string>(name); }
  Numbers numbers(const char* name) const { return get<Numbers>(name); }
};

Scatter scatter_of(const std::string& name, const Parts& parts) {
  Scatter scatter{
      name, parts.text("x_label"),      parts.text("y_label"), parts.get<Texts>("groups"),
      {},   parts.text("marked_label"), parts.text("caption")};
  const Numbers x = parts.numbers("x"), y = parts.numbers("y");
  const auto group = parts.get<std::vector<std::int32_t>>("group");
  const auto marked = parts.get<std::vector<bool>>("marked");
  for (std::size_t i = 0; i < x.size(); ++i)
    scatter.points.push_back({x[i], y[i], group[i], marked[i]});
  return scatter;
}

Drawing drawing_of(const std::string& kind, const std::string& name, const Parts& parts) {
  if (kind == "bars")
    return Bars{name,
                parts.text("value_label"),
                parts.get<Texts>("labels"),
                parts.numbers("values"),
                parts.numbers("errors"),
                parts.text("caption")};
  if (kind == "scatter") return scatter_of(name, parts);
  if (kind == "heat map")
    return HeatMap{name,
                   parts.text("row_label"),
                   parts.text("column_label"),
                   parts.get<Texts>("rows"),
                   parts.get<Texts>("columns"),
                   parts.numbers("values"),
                   parts.text("caption")};
  if (kind == "picture") return Picture{name, parts.text("png"), parts.text("caption")};
  throw Error("internal error: there are no drawings of the kind '" + kind + "'");
}

}  // namespace

Reported::Reported(const py::dict& found) {
  for (const auto& [key, value] : found) {
    const auto name = key.cast<std::string>();
    if (py::isinstance<py::int_>(value)) {
      said_.emplace_back([=, number = value.cast<std::int64_t>()](Report& report) {
        report.integer(name, number);
      });
    } else if (py::isinstance<py::str>(value)) {
      texts_.insert(name);
      said_.emplace_back(
          [=, text = value.cast<std::string>()](Report& report) { report.text(name, text); });
    } else if (py::isinstance<py::tuple>(value)) {
      const auto [kind, parts] = value.cast<std::pair<std::string, py::dict>>();
      const Parts of{parts};
      if (kind == "curve")
        said_.emplace_back(
            [curve = Curve{name, of.text("x_label"), of.text("y_label"), of.numbers("x"),
                           of.numbers("y")}](Report& report) { report.curve(curve); });
      else
        said_.emplace_back(
            [drawing = drawing_of(kind, name, of)](Report& report) { report.draw(drawing); });
    } else {
      said_.emplace_back(
          [=, number = value.cast<double>()](Report& report) { report.number(name, number); });
    }
  }
}

}  // namespace semblance::python
