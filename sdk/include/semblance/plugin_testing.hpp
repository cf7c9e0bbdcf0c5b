// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "semblance/plugin.hpp"
#include "semblance/testing.hpp"

/// Of the plugin that the test is linked with.
SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin();

namespace semblance::testing {

/// A component of the plugin under test, by its id, as the runtime makes it: with its parameters
/// checked and assigned. Parameters that are components stay empty. Throws Error where the
/// component or a parameter is unknown or a value is not allowed.
template <class Interface>
std::unique_ptr<Interface> make_component(const std::string& id,
                                          const std::map<std::string, Value>& values = {}) {
  ComponentTable table;
  semblance_plugin()->components(table);
  for (const ComponentEntry& entry : table.entries) {
    if (entry.info.id != id) continue;
    std::unique_ptr<Component> made = entry.create();
    for (const auto& [name, value] : values) {
      const ParameterInfo* parameter = entry.info.parameter(name);
      if (!parameter) throw Error(id + " has no parameter '" + name + "'");
      if (const auto problem = parameter->check(value)) throw Error(id + ": " + *problem);
      const auto index = static_cast<std::size_t>(parameter - entry.info.parameters.data());
      entry.setters[index].value(*made, value);
    }
    made->check_parameters();
    Interface& checked = dynamic_cast<Interface&>(*made);
    made.release();
    return std::unique_ptr<Interface>(&checked);
  }
  throw Error("the plugin has no component " + id);
}

}  // namespace semblance::testing
