// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance::serving {

/// Whether a Host header names this machine, without a name lookup: a web site whose name was made
/// to resolve to this machine is not accepted.
bool names_this_machine(std::string host);

}  // namespace semblance::serving
