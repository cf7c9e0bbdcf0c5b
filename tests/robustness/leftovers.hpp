// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program.hpp"

namespace semblance::testing {

/// Abandoned files: half-written ones, drafts, spilled matrices; one per line. Empty lock files do
/// not count.
inline std::string leftovers(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::string found;
  if (!fs::exists(folder)) return found;
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    const std::string path = item.path().lexically_relative(folder).string();
    const bool draft = path.find("drafts/") != std::string::npos;
    const bool spilled = path.find("spill/") != std::string::npos;
    if (draft || spilled || path.ends_with(".tmp") || path.ends_with(".new") ||
        path.find(".json.") != std::string::npos)
      found += path + "\n";
  }
  return found;
}

}  // namespace semblance::testing
