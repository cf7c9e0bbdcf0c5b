// SPDX-License-Identifier: MIT
#include "support/combination_name.hpp"

#include <algorithm>

namespace semblance {

std::string combination_name(const std::vector<std::string>& slots,
                             const std::vector<std::string>& choices) {
  std::string name;
  for (std::size_t s = 0; s < std::min(slots.size(), choices.size()); ++s)
    if (!choices[s].empty()) name += (name.empty() ? "" : ",") + slots[s] + "=" + choices[s];
  return name;
}

}  // namespace semblance
