// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <algorithm>
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

/// The components of the plugin under test and of those in SEMBLANCE_TESTED_WITH. Throws Error if
/// one of these cannot be loaded.
inline const ComponentTable& tested_components() {
  static const ComponentTable table = [] {
    ComponentTable all;
    semblance_plugin()->components(all);
    for (std::string_view rest = SEMBLANCE_TESTED_WITH; !rest.empty();) {
      const std::string file(rest.substr(0, rest.find(':')));
      rest.remove_prefix(std::min(rest.size(), file.size() + 1));
      void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      void* const function = library ? dlsym(library, "semblance_plugin") : nullptr;
      if (!function) throw Error(dlerror());
      reinterpret_cast<const PluginDescriptor* (*)()>(function)()->components(all);
    }
    return all;
  }();
  return table;
}

/// The declaration of the component with this id, `kind/name`. Throws Error if there is none.
inline const ComponentEntry& declaration_of(std::string_view id) {
  for (const ComponentEntry& entry : tested_components().entries)
    if (entry.info.id == id) return entry;
  throw Error("the plugin has no component " + std::string(id));
}

/// Components that are parameters of another, by the parameter's name.
using Parts = std::map<std::string, std::function<std::unique_ptr<Component>()>>;

/// Makes a component by its id, as the runtime does: with parameters checked and assigned. Parts
/// that are not given stay empty. Throws Error if the component or a parameter is unknown or a
/// value is not allowed.
template <class Interface>
std::unique_ptr<Interface> make_component(std::string_view id, const Parameters& values = {},
                                          const Parts& parts = {}) {
  const ComponentEntry& entry = declaration_of(id);
  std::unique_ptr<Component> made = entry.create();
  for (const auto& [name, part] : parts) {
    const ComponentEntry::Setter& set = setter(entry, name);
    if (set.maker)
      set.maker(*made, part);
    else
      set.component(*made, part());
  }
  assign(*made, entry, values);
  Interface& checked = dynamic_cast<Interface&>(*made);
  made.release();
  return std::unique_ptr<Interface>(&checked);
}

/// A part of another component: similarity/rbf as a kernel, for example.
template <class Interface = Component>
std::function<std::unique_ptr<Interface>()> part(std::string id, Parameters values = {},
                                                 Parts parts = {}) {
  return [=] { return make_component<Interface>(id, values, parts); };
}

}  // namespace semblance::testing
