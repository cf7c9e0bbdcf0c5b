// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace semblance {

/// A shared library that this process has loaded.
struct LinkedLibrary {
  std::string name;     ///< its file's, without folders
  std::string content;  ///< its build id, which linkers make of its content; else its file's
                        ///< hash; empty: it goes by another name where it is loaded
};

/// The libraries that a loaded library is linked with, directly or through others, itself not
/// among them, by name. They are those that the loader has found, wherever it looked.
std::vector<LinkedLibrary> linked_libraries(const std::filesystem::path& library);

}  // namespace semblance
