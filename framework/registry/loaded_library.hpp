// SPDX-License-Identifier: MIT
#pragma once

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace semblance {

/// Who sees the symbols of a library.
enum class Symbols {
  own,    ///< the library alone
  global  ///< also libraries that are loaded later, without being linked with it
};

/// Loads a library for the rest of the process: objects and exceptions need its code as long as the
/// process lives. All symbols are resolved here: with lazy binding, a missing one would end the
/// program on its call. Throws Error with the loader's own message.
const boost::dll::shared_library& loaded_library(const std::filesystem::path& file,
                                                 Symbols symbols = Symbols::own);

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
