// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance {

/// All files below a folder as one text, to be sent to another rank.
std::string packed(const std::filesystem::path& folder);

/// Writes what packed() gave below a folder, which is made. Throws Error where it is nothing that
/// packed() gives.
void unpack(const std::string& text, const std::filesystem::path& folder);

}  // namespace semblance
