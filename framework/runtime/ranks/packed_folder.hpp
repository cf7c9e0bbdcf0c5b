// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance {

/// All files below a folder as one string, to be sent to another rank.
std::string packed(const std::filesystem::path& folder);

/// Writes the files of a packed() string into a folder, which it makes. Throws Error where the
/// string is not from packed().
void unpack(const std::string& text, const std::filesystem::path& folder);

}  // namespace semblance
