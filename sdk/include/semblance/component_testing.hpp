// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/testing.hpp"

/// Components as the runtime makes them, for their own tests.
namespace semblance::testing {

/// Values of parameters, by name.
using Parameters = std::vector<std::pair<std::string, Value>>;

/// The setter of a parameter. A parameter that is a component must be set before assign(). Throws
/// Error if there is no parameter of this name.
inline const ComponentEntry::Setter& setter(const ComponentEntry& entry, const std::string& name) {
  const ParameterInfo* parameter = entry.info.parameter(name);
  if (!parameter) throw Error(entry.info.id + " has no parameter '" + name + "'");
  return entry.setters[static_cast<std::size_t>(parameter - entry.info.parameters.data())];
}

/// Checks the values and assigns them to a component; other parameters keep their defaults. Throws
/// Error if a parameter is unknown or a value is not allowed.
inline void assign(Component& component, const ComponentEntry& entry, const Parameters& values) {
  for (const auto& [name, value] : values) {
    const ComponentEntry::Setter& set = setter(entry, name);
    if (const auto problem = entry.info.parameter(name)->check(value))
      throw Error(entry.info.id + ": " + *problem);
    set.value(component, value);
  }
  component.check_parameters();
}

}  // namespace semblance::testing
