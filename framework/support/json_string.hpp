// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance::serving {

/// A text in quotes as JSON has it; what is no UTF-8 is replaced.
std::string json_string(std::string_view text);

}  // namespace semblance::serving
