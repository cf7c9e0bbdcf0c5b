// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "semblance/plugin.hpp"

namespace semblance {

/// A file of components written in Python that was read; valid for the life of the process.
struct PythonPlugin {
  const PluginDescriptor* descriptor;
  const char* hash;    ///< of its source, and of the local modules that it imports
  const char* linked;  ///< of the versions of Python and of the packages that it imports
  const ComponentTable* table;
};

/// Reads such a file; where it cannot be used, nullptr, and `problem` says why.
using ReadPythonPlugin = const PythonPlugin*(const char* file, const char** problem);

/// Whether the path names a file of components written in Python.
bool is_python_file(const std::filesystem::path& file);

/// The file that the path means: itself where it exists; else, where it is a name alone, the one of
/// that name among those that come with the Python package. Empty: there is neither.
std::filesystem::path find_python_file(const std::filesystem::path& path);

/// Reads one: through the library beside the SDK's that brings Python along, which is loaded then,
/// or where Python itself runs this process, as use_python() says. Throws Error.
const PythonPlugin& read_python_plugin(const std::filesystem::path& file);

/// Has the interpreter that runs this process read such files.
void use_python(ReadPythonPlugin* read);

}  // namespace semblance
