// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semblance/parameters.hpp"

namespace semblance {

/// A constraint: a change to the declaration of a parameter.
using Constraint = std::function<void(ParameterInfo&)>;

/// x > low
Constraint above(double low);
/// x >= low
Constraint at_least(double low);
/// x < high
Constraint below(double high);
/// x <= high
Constraint at_most(double high);
Constraint choices(std::vector<std::string> values);
Constraint unit(std::string text);
/// The pipeline must set the parameter.
Constraint required();
/// A path or component that may be omitted.
Constraint optional();
/// The component used when none is given.
Constraint default_component(std::string id);

}  // namespace semblance
