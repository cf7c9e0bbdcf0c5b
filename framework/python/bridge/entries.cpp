// SPDX-License-Identifier: MIT
#include "entries.hpp"

#include <pybind11/stl.h>

#include <list>
#include <mutex>
#include <nlohmann/json.hpp>

#include "interpreter.hpp"
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

namespace {

/// A file that was read, with the texts that its descriptor refers to.
struct ReadFile {
  std::string name, version, licence, hash, linked;
  ComponentTable table;
  PluginDescriptor descriptor = {};
  PythonPlugin plugin = {};
};

void fill(ReadFile& file, const py::object& read) {
  file.name = read.attr("name").cast<std::string>();
  file.version = read.attr("version").cast<std::string>();
  file.licence = read.attr("licence").cast<std::string>();
  file.hash = read.attr("hash").cast<std::string>();
  file.linked = read.attr("linked").cast<std::string>();
  for (const auto& declaration : read.attr("declarations"))
    file.table.entries.push_back(entry_of(py::reinterpret_borrow<py::object>(declaration)));
  file.descriptor = {sdk_api,
                     SEMBLANCE_FINGERPRINT,
                     file.name.c_str(),
                     file.version.c_str(),
                     file.licence.c_str(),
                     [](ComponentTable&) {}};
  file.plugin = {&file.descriptor, file.hash.c_str(), file.linked.c_str(), &file.table};
}

/// What is returned stays valid, as a loaded library does. Throws Error.
const PythonPlugin* read(const char* file) {
  std::list<ReadFile> one(1);
  in_python([&] { fill(one.front(), part_of_package("_plugins").attr("load")(file)); });
  // Not held while Python runs: another thread could wait for it with the interpreter's lock.
  static std::mutex mutex;
  static auto& files = *new std::list<ReadFile>;  // components refer to them as long as they live
  const std::lock_guard lock(mutex);
  files.splice(files.end(), one);
  return &files.back().plugin;
}

}  // namespace

const PythonPlugin* read_plugin(const char* file, const char** problem, void (*before)()) {
  static thread_local std::string why;
  try {
    if (before) before();
    return read(file);
  } catch (const std::exception& failure) {
    why = failure.what();
    *problem = why.c_str();
    return nullptr;
  }
}

}  // namespace semblance::python
