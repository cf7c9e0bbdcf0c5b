// SPDX-License-Identifier: MIT
#include "python_component.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "measure.hpp"
#include "semblance/error.hpp"

namespace semblance::python {

namespace py = pybind11;

namespace {

/// pybind11 makes None of nothing, a list of a vector and a dict of a mapping.
py::object to_python(const Value& value) { return py::cast(value); }

}  // namespace

PythonComponent::PythonComponent(std::shared_ptr<const Definition> definition)
    : definition_(std::move(definition)) {
  for (const ParameterInfo& p : info().parameters) values_.push_back(p.fallback);
  parts_.resize(values_.size());
}

PythonComponent::~PythonComponent() = default;

void PythonComponent::make() const {
  in_python([&] {
    py::dict values;
    for (std::size_t i = 0; i < values_.size(); ++i)
      values[py::str(info().parameters[i].name)] =
          parts_[i] ? measure_object(parts_[i]) : to_python(values_[i]);
    adapter_ =
        Owned(part_of_package("_bridge").attr("adapter")(definition_->declaration.get(), values));
  });
}

py::object PythonComponent::adapter() const {
  if (!adapter_) throw Error("its parameters were not checked before it was used");
  return py::reinterpret_borrow<py::object>(adapter_.get());
}

bool PythonComponent::call(Context& context, const Call& body) const {
  bool stop_seen = false;
  in_python([&] {
    const LentContext lent_context(context);
    LentArrays lent;
    body(lent, lent_context);
    lent.finish();
    stop_seen = lent_context.stop_seen();
  });
  return stop_seen;
}

void PythonComponent::call_without_context(const std::function<void(LentArrays&)>& body) const {
  in_python([&] {
    LentArrays lent;
    body(lent);
    lent.finish();
  });
}

Layout PythonComponent::bind_adapter(const Layout& input) const {
  Layout output;
  in_python([&] { output = layout_from_python(adapter().attr("bind")(to_python(input))); });
  return output;
}

std::vector<std::string> PythonComponent::named_files() const {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const auto* file = std::get_if<std::string>(&values_[i]);
        file && !file->empty() && info().parameters[i].type == ParameterType::path)
      files.push_back(*file);
  in_python([&] {
    for (auto& file : adapter().attr("files")().cast<std::vector<std::string>>())
      files.push_back(std::move(file));
  });
  return files;
}

py::tuple to_python(const Layout& layout) {
  py::tuple alphabet;
  if (layout.kind == LayoutKind::string) alphabet = py::tuple(py::cast(symbols_of(layout)));
  return py::make_tuple(name(layout.kind), layout.height, layout.width, layout.depth, alphabet);
}

Layout layout_from_python(const py::object& layout) {
  const auto kind = layout.attr("kind").cast<std::string>();
  const auto found =
      std::ranges::find_if(layouts(), [&](const LayoutInfo& l) { return kind == l.name; });
  if (found == layouts().end()) throw Error("there is no layout '" + kind + "'");
  return {found->kind, layout.attr("height").cast<std::size_t>(),
          layout.attr("width").cast<std::size_t>(), layout.attr("depth").cast<std::size_t>()};
}

}  // namespace semblance::python
