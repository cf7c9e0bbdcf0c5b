// SPDX-License-Identifier: MIT
#include "semblance/plugin_testing.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace semblance::testing {

const ComponentEntry::Setter& setter(const ComponentEntry& entry, const std::string& name) {
  const ParameterInfo* parameter = entry.info.parameter(name);
  if (!parameter) throw Error(entry.info.id + " has no parameter '" + name + "'");
  return entry.setters[static_cast<std::size_t>(parameter - entry.info.parameters.data())];
}

void assign(Component& component, const ComponentEntry& entry, const Parameters& values) {
  for (const auto& [name, value] : values) {
    const ComponentEntry::Setter& set = setter(entry, name);
    if (const auto problem = entry.info.parameter(name)->check(value))
      throw Error(entry.info.id + ": " + *problem);
    set.value(component, value);
  }
  component.check_parameters();
}

std::shared_ptr<const ComponentTable> components_of(const PluginDescriptor& plugin,
                                                    std::string_view others) {
  const auto all = std::make_shared<ComponentTable>();
  plugin.components(*all);
  while (!others.empty()) {
    const std::string file(others.substr(0, others.find(':')));
    others.remove_prefix(std::min(others.size(), file.size() + 1));
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const function = library ? dlsym(library, "semblance_plugin") : nullptr;
    if (!function) throw Error(dlerror());
    reinterpret_cast<const PluginDescriptor* (*)()>(function)()->components(*all);
  }
  return all;
}

const ComponentEntry& declaration_in(const ComponentTable& table, std::string_view id) {
  for (const ComponentEntry& entry : table.entries)
    if (entry.info.id == id) return entry;
  throw Error("the plugin has no component " + std::string(id));
}

std::unique_ptr<Component> made(const ComponentEntry& entry, const Parameters& values,
                                const Parts& parts) {
  std::unique_ptr<Component> component = entry.create();
  for (const auto& [name, part] : parts) {
    const ComponentEntry::Setter& set = setter(entry, name);
    if (set.maker)
      set.maker(*component, part);
    else
      set.component(*component, part());
  }
  assign(*component, entry, values);
  return component;
}

}  // namespace semblance::testing
