// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "semblance/parameters.hpp"

namespace semblance {

struct ComponentPart;

/// A component with all its parameters resolved: defaults filled in, values checked, paths made
/// absolute. Both lists follow the order of the declaration.
struct ComponentConfig {
  std::string id;
  std::vector<std::pair<std::string, Value>> values;
  std::vector<ComponentPart> parts;  ///< parameters that are components
};

/// A parameter that is a component, and that component.
struct ComponentPart {
  std::string parameter;
  ComponentConfig component;
};

}  // namespace semblance
