// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance {

/// Text that is safe for a terminal or an editor: control characters become question marks. These
/// are control characters except line breaks and tabs, also in UTF-8 (U+0080 to U+009F), and
/// characters that change the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069).
std::string safe_text(std::string_view text);

}  // namespace semblance
