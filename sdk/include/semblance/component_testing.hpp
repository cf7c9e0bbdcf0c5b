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
const ComponentEntry::Setter& setter(const ComponentEntry& entry, const std::string& name);

/// Checks the values and assigns them to a component; other parameters keep their defaults. Throws
/// Error if a parameter is unknown or a value is not allowed.
void assign(Component& component, const ComponentEntry& entry, const Parameters& values);

}  // namespace semblance::testing
