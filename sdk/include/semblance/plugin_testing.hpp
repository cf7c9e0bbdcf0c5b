// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "semblance/component_testing.hpp"
#include "semblance/plugin.hpp"

/// The entry point of the plugin that the test is linked with.
SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin();

namespace semblance::testing {

/// Makes a component of the plugin under test by its id, as the runtime does: with parameters
/// checked and assigned. Parameters that are components stay empty. Throws Error if the component
/// or a parameter is unknown or a value is not allowed.
template <class Interface>
std::unique_ptr<Interface> make_component(const std::string& id, const Parameters& values = {}) {
  ComponentTable table;
  semblance_plugin()->components(table);
  for (const ComponentEntry& entry : table.entries) {
    if (entry.info.id != id) continue;
    std::unique_ptr<Component> made = entry.create();
    assign(*made, entry, values);
    Interface& checked = dynamic_cast<Interface&>(*made);
    made.release();
    return std::unique_ptr<Interface>(&checked);
  }
  throw Error("the plugin has no component " + id);
}

}  // namespace semblance::testing
