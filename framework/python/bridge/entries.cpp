// SPDX-License-Identifier: MIT
#include "entries.hpp"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "python_component.hpp"
#include "registry/component_info_json.hpp"
#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
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
  const auto described = declaration.attr("described")().cast<std::string>();
  ComponentInfo& info = entry.info =
      component_info_from_json(nlohmann::ordered_json::parse(described));
  info.example = unindented(info.example);
  const PythonKind* kind = python_kind(info.kind());
  if (!kind) throw Error("a " + std::string(info.kind()) + " cannot be written in Python");
  info.inputs = kind->interface().inputs;
  info.output = kind->interface().output;
  const py::dict options = declaration.attr("options");
  for (const auto& name : options["accepts"].cast<std::vector<std::string>>())
    info.inputs.at(0).layouts.push_back(layout_named(name));
  if (const auto gives = options["gives"].cast<std::string>(); !gives.empty())
    info.output.value().layouts = {layout_named(gives)};
  for (std::size_t i = 0; i < info.parameters.size(); ++i)
    entry.setters.push_back(setter_of(i, info.parameters[i]));
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
