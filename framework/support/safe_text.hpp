// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance {

/// What a terminal, or an editor, shows of a text as it is: characters that steer it become
/// question marks. Those are control characters but line breaks and tabs, also in UTF-8 (U+0080 to
/// U+009F), and what changes the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069).
std::string safe_text(std::string_view text);

}  // namespace semblance
