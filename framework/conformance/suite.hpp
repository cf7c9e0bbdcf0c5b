// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "conformance/check.hpp"
#include "conformance/subject.hpp"

namespace semblance::conformance {

/// All checks of a component, by its kind and what its declaration says. The subject must outlive
/// them.
std::vector<Check> checks_of(const Subject& subject);

}  // namespace semblance::conformance
