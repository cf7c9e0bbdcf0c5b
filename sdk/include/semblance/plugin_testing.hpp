// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "semblance/component_testing.hpp"
#include "semblance/plugin.hpp"

/// The entry point of the plugin that the test is linked with.
SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin();

/// Built plugins whose components the test uses too, separated by ':'; semblance_add_plugin() sets
/// it from its argument TEST_PLUGINS.
#ifndef SEMBLANCE_TESTED_WITH
#define SEMBLANCE_TESTED_WITH ""
#endif

namespace semblance::testing {

/// Components that are parameters of another, by the parameter's name.
using Parts = std::map<std::string, std::function<std::unique_ptr<Component>()>>;

/// The components of a plugin and of the built ones in `others`, separated by ':'. Throws Error if
/// one of these cannot be loaded.
std::shared_ptr<const ComponentTable> components_of(const PluginDescriptor& plugin,
                                                    std::string_view others);

/// The declaration with this id. Throws Error if there is none.
const ComponentEntry& declaration_in(const ComponentTable& table, std::string_view id);

/// The component with parameters checked and assigned.
std::unique_ptr<Component> made(const ComponentEntry& entry, const Parameters& values,
                                const Parts& parts);

/// The components of the plugin under test and of those in SEMBLANCE_TESTED_WITH. Throws Error if
/// one of these cannot be loaded.
inline const ComponentTable& tested_components() {
  static const auto table = components_of(*semblance_plugin(), SEMBLANCE_TESTED_WITH);
  return *table;
}

/// The declaration of the component with this id, `kind/name`. Throws Error if there is none.
inline const ComponentEntry& declaration_of(std::string_view id) {
  return declaration_in(tested_components(), id);
}

/// Makes a component by its id, as the runtime does: with parameters checked and assigned. Parts
/// that are not given stay empty. Throws Error if the component or a parameter is unknown or a
/// value is not allowed.
template <class Interface>
std::unique_ptr<Interface> make_component(std::string_view id, const Parameters& values = {},
                                          const Parts& parts = {}) {
  std::unique_ptr<Component> component = made(declaration_of(id), values, parts);
  Interface& checked = dynamic_cast<Interface&>(*component);
  component.release();
  return std::unique_ptr<Interface>(&checked);
}

/// A part of another component: similarity/rbf as a kernel, for example.
template <class Interface = Component>
std::function<std::unique_ptr<Interface>()> part(std::string id, Parameters values = {},
                                                 Parts parts = {}) {
  return [=] { return make_component<Interface>(id, values, parts); };
}

}  // namespace semblance::testing
