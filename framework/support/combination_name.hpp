// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace semblance {

/// "kernel=rbf,gamma=1": the slots with their choices. A slot whose choice is empty is one that
/// this combination does not have.
std::string combination_name(const std::vector<std::string>& slots,
                             const std::vector<std::string>& choices);

}  // namespace semblance
