// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "fuzzing.hpp"
#include "semblance/plugin_testing.hpp"

namespace semblance::fuzzing {

/// A component, by its id, of the plugin that the target is linked with, made as the runtime makes
/// it. Throws Error if the values do not fit together; each single value must be allowed, or
/// nothing would be tested.
template <class Interface>
std::unique_ptr<Interface> component(const std::string& id, const Parameters& parameters,
                                     const testing::Parts& parts = {}) {
  const ComponentInfo& info = testing::declaration_of(id).info;
  for (const auto& [name, value] : parameters) {
    const ParameterInfo* parameter = info.parameter(name);
    require(parameter && !parameter->check(value), "there is no such " + name);
  }
  return testing::make_component<Interface>(id, parameters, parts);
}

}  // namespace semblance::fuzzing
