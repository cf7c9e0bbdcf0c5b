// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance::serving {

/// A text as a quoted JSON string; bytes that are not UTF-8 are replaced.
std::string json_string(std::string_view text);

}  // namespace semblance::serving
