// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semblance/parameters.hpp"

namespace semblance {

/// What a constraint changes of a declared parameter.
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
/// The pipeline must give it.
Constraint required();
/// A path or component that may be left out.
Constraint optional();
/// The component that is taken when none is given.
Constraint default_component(std::string id);

}  // namespace semblance
