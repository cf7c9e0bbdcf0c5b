// SPDX-License-Identifier: MIT
#include "entries.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "python_component.hpp"
#include "semblance/error.hpp"
#include "semblance/similarity.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
using Texts = std::vector<std::string>;

constexpr std::pair<const char*, ParameterType> types[] = {
    {"boolean", ParameterType::boolean}, {"integer", ParameterType::integer},
    {"number", ParameterType::number},   {"text", ParameterType::text},
    {"path", ParameterType::path},       {"integers", ParameterType::integers},
    {"numbers", ParameterType::numbers}, {"texts", ParameterType::texts},
    {"mapping", ParameterType::mapping}, {"component", ParameterType::component}};

Scalar scalar_of(const py::handle& value) {
  if (value.is_none()) return std::monostate{};
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return value.cast<std::int64_t>();
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  return value.cast<std::string>();
}

NamedValues mapping_of(const py::dict& values) {
  NamedValues mapping;
  for (const auto& [name, value] : values) {
    auto& made = mapping[name.cast<std::string>()];
    if (py::isinstance<py::list>(value)) {
      std::vector<Scalar> list;
      for (const py::handle& item : value) list.push_back(scalar_of(item));
      made = std::move(list);
    } else {
      std::visit([&](auto&& x) { made = std::forward<decltype(x)>(x); }, scalar_of(value));
    }
  }
  return mapping;
}

Value value_of(const py::object& value, ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return value.cast<bool>();
    case ParameterType::integer:
      return value.cast<std::int64_t>();
    case ParameterType::number:
      return value.cast<double>();
    case ParameterType::text:
    case ParameterType::path:
      return value.cast<std::string>();
    case ParameterType::integers:
      return value.cast<std::vector<std::int64_t>>();
    case ParameterType::numbers:
      return value.cast<std::vector<double>>();
    case ParameterType::texts:
      return value.cast<Texts>();
    case ParameterType::mapping:
      return mapping_of(value);
    case ParameterType::component:
      break;
  }
  return {};
}

ParameterInfo parameter_of(const std::string& name, const py::object& declared) {
  ParameterInfo info;
  info.name = name;
  const auto type = declared.attr("type").cast<std::string>();
  info.type =
      std::ranges::find(types, type, [](const auto& t) { return std::string(t.first); })->second;
  info.documentation = declared.attr("documentation").cast<std::string>();
  info.unit = declared.attr("unit").cast<std::string>();
  info.choices = declared.attr("choices").cast<Texts>();
  const py::object fallback = declared.attr("default");
  if (info.type == ParameterType::component) {
    info.kind = Similarity::kind_info().name;
    if (!fallback.is_none()) info.default_component = fallback.cast<std::string>();
    return info;
  }
  if (fallback.is_none())
    info.required = true;
  else
    info.fallback = value_of(fallback, info.type);
  info.optional = info.type == ParameterType::path && !info.required;
  const auto limit = [&](const char* open, const char* closed, double& end, bool& is_open) {
    for (const char* which : {open, closed})
      if (const py::object at = declared.attr(which); !at.is_none()) {
        end = at.cast<double>();
        is_open = which == open;
      }
  };
  limit("above", "at_least", info.interval.low, info.interval.low_open);
  limit("below", "at_most", info.interval.high, info.interval.high_open);
  return info;
}

template <class Enum>
Enum named(const std::string& text, std::initializer_list<std::pair<const char*, Enum>> all) {
  for (const auto& [name, value] : all)
    if (text == name) return value;
  throw Error("'" + text + "' is not known");
}

FigureInfo figure_of(const std::string& name, const py::object& declared) {
  using enum FigureUnit;
  return {
      name, declared.attr("documentation").cast<std::string>(),
      named<FigureUnit>(declared.attr("unit").cast<std::string>(), {{"plain", plain},
                                                                    {"share", share},
                                                                    {"count", count},
                                                                    {"seconds", seconds},
                                                                    {"bytes", bytes}}),
      named<Better>(declared.attr("better").cast<std::string>(),
                    {{"none", Better::none}, {"lower", Better::lower}, {"higher", Better::higher}}),
      declared.attr("headline").cast<bool>()};
}

LayoutKind layout_named(const std::string& name) {
  for (const LayoutInfo& info : layouts())
    if (name == info.name) return info.kind;
  throw Error("there is no layout '" + name + "'");
}

void add_options(ComponentInfo& info, const py::dict& options) {
  const auto flag = [&](const char* name) { return options[name].cast<bool>(); };
  const auto text = [&](const char* name) { return options[name].cast<std::string>(); };
  info.reference = text("reference");
  info.complexity = text("complexity");
  info.example = unindented(text("example"));
  info.random = flag("random");
  info.symmetric = flag("symmetric");
  info.inexpensive = flag("inexpensive");
  info.columns_are_rows = flag("columns_are_rows");
  for (const auto& name : options["accepts"].cast<Texts>())
    info.inputs.at(0).layouts.push_back(layout_named(name));
  if (const std::string gives = text("gives"); !gives.empty())
    info.output.value().layouts = {layout_named(gives)};
  for (const auto& [name, declared] : options["reports"].cast<py::dict>())
    info.figures.push_back(
        figure_of(name.cast<std::string>(), py::reinterpret_borrow<py::object>(declared)));
}

ComponentEntry::Setter setter_of(std::size_t i, const ParameterInfo& parameter) {
  if (parameter.type == ParameterType::component)
    return {nullptr, nullptr, [i](Component& c, PythonComponent::Create create) {
              dynamic_cast<PythonComponent&>(c).set_part(i, std::move(create));
            }};
  return {
      [i](Component& c, const Value& value) { dynamic_cast<PythonComponent&>(c).set(i, value); },
      nullptr, nullptr};
}

}  // namespace

ComponentEntry entry_of(const py::object& declaration) {
  ComponentEntry entry;
  ComponentInfo& info = entry.info;
  info.id = declaration.attr("id").cast<std::string>();
  info.summary = declaration.attr("summary").cast<std::string>();
  info.documentation = declaration.attr("documentation").cast<std::string>();
  const PythonKind* kind = python_kind(info.kind());
  if (!kind) throw Error("a " + std::string(info.kind()) + " cannot be written in Python");
  info.inputs = kind->interface().inputs;
  info.output = kind->interface().output;
  for (const auto& [name, declared] : declaration.attr("parameters").cast<py::dict>())
    info.parameters.push_back(
        parameter_of(name.cast<std::string>(), py::reinterpret_borrow<py::object>(declared)));
  add_options(info, declaration.attr("options").cast<py::dict>());
  if (declaration.attr("uses_classes").cast<bool>()) info.targets = {TargetKind::classes};
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    entry.setters.push_back(setter_of(i, info.parameters[i]));
  const py::object options = declaration.attr("options");
  auto definition = std::make_shared<const PythonComponent::Definition>(PythonComponent::Definition{
      Owned(declaration), info, declaration.attr("learns").cast<bool>(),
      options["positive_semidefinite"].cast<bool>(), options["exact"].cast<bool>(),
      declaration.attr("uses_samples").cast<bool>()});
  entry.create = [definition = std::move(definition), create = kind->create] {
    return create(definition);
  };
  return entry;
}

}  // namespace semblance::python
