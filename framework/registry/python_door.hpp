// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "semblance/plugin.hpp"

namespace semblance {

/// A Python file of components that was read; valid for the life of the process.
struct PythonPlugin {
  const PluginDescriptor* descriptor;
  const char* hash;    ///< of its source, and of the local modules that it imports
  const char* linked;  ///< of the versions of Python and of the packages that it imports
  const ComponentTable* table;
};

/// Reads such a file; returns nullptr where it cannot be used, with the reason in `problem`.
using ReadPythonPlugin = const PythonPlugin*(const char* file, const char** problem);

/// Whether the path names a Python file of components.
bool is_python_file(const std::filesystem::path& file);

/// The file for the path: the path itself if it exists; for a bare name, the file of that name that
/// comes with the Python package. Empty: there is neither.
std::filesystem::path find_python_file(const std::filesystem::path& path);

/// Reads a file: through the library next to the SDK's that brings Python along, which is then
/// loaded, or, where Python itself runs this process, through the function given to use_python().
/// Throws Error.
const PythonPlugin& read_python_plugin(const std::filesystem::path& file);

/// Lets the interpreter that runs this process read such files.
void use_python(ReadPythonPlugin* read);

}  // namespace semblance
