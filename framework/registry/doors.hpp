// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance {

/// The folder of the SDK's library, which the program and the Python package are linked with.
std::filesystem::path sdk_folder();

/// A function of a door: a library beside the SDK's, `semblance/doors/libsemblance_NAME_door.so`,
/// that brings an engine along (an interpreter of Python, MPI) and is loaded when first asked for.
/// Throws Error where it is not there, with `remedy`, or cannot be loaded.
void* door_function(const std::string& name, const char* function, const std::string& remedy);

}  // namespace semblance
