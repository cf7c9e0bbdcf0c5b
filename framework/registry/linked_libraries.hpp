// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace semblance {

/// A shared library loaded by this process.
struct LinkedLibrary {
  std::string name;     ///< of its file, without folders
  std::string content;  ///< its build id, which linkers derive from its content, or its file's
                        ///< hash; empty: it has another name where it is loaded
};

/// The libraries that a loaded library is linked with, directly or through others, sorted by name,
/// without itself. They are those that the loader has found.
std::vector<LinkedLibrary> linked_libraries(const std::filesystem::path& library);

}  // namespace semblance
