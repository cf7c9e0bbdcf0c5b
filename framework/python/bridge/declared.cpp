// SPDX-License-Identifier: MIT
#include "declared.hpp"

#include <pybind11/pybind11.h>

#include "entries.hpp"
#include "interpreter.hpp"
#include "registry/plugin_library.hpp"
#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// The identity of its code is computed on request: a function may use variables that change.
std::string identity(const Owned& declaration) {
  std::string text;
  in_python([&] {
    text = part_of_package("_identity")
               .attr("of_target")(declaration.get().attr("target"))
               .cast<std::string>();
  });
  return text;
}

bool is_of_plugin(const Catalogue& catalogue, const std::string& id, const std::string& file) {
  const auto* other = catalogue.find(id);
  std::error_code failure;
  return other && std::filesystem::equivalent(other->plugin->library, file, failure);
}

void add(Catalogue& catalogue, const py::object& declaration) {
  const auto file = declaration.attr("file").cast<std::string>();
  const auto entry = std::make_shared<const ComponentEntry>(entry_of(declaration));
  if (is_of_plugin(catalogue, entry->info.id, file)) return;
  if (const auto* other = catalogue.find(entry->info.id))
    throw Error("'" + entry->info.id + "' is declared in Python (" + file +
                "), but it is a component of '" + other->plugin->library.string() +
                "' as well; give yours another name");
  PluginOrigin origin{"python", "0", "not said", file, "declared in Python"};
  origin.of_file = false;
  origin.linked = [owned = Owned(declaration)] { return identity(owned); };
  catalogue.add({entry->info, std::make_shared<const PluginOrigin>(std::move(origin))},
                [entry](const ComponentConfig& config, const Catalogue& nested) {
                  return create_component(*entry, config, nested);
                });
}

}  // namespace

long declared_changes() {
  return part_of_package("_declare.decorators").attr("changes").cast<long>();
}

void add_declared(Catalogue& catalogue) {
  in_python([&] {
    const py::dict declared = part_of_package("_declare").attr("declared");
    for (const auto& [id, declaration] : declared)
      add(catalogue, py::reinterpret_borrow<py::object>(declaration));
  });
}

void read_plugins_here() {
  use_python([](const char* file, const char** problem) { return read_plugin(file, problem); });
}

}  // namespace semblance::python
