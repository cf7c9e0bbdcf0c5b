// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "conformance/check.hpp"
#include "conformance/subject.hpp"

namespace semblance::conformance {

/// All checks of a component, according to its kind and its declaration. The subject must outlive
/// them.
std::vector<Check> checks_of(const Subject& subject);

}  // namespace semblance::conformance
