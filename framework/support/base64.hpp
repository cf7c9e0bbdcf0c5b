// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance {

/// Bytes as letters (RFC 4648), with padding.
std::string base64(std::string_view bytes);

/// The bytes again. Throws Error where the text has anything else than these letters.
std::string from_base64(std::string_view text);

}  // namespace semblance
