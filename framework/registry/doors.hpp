// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance {

/// The folder of the SDK's library, which the program and the Python package are linked with.
std::filesystem::path sdk_folder();

/// A function of a door. A door is a library next to the SDK's,
/// `semblance/doors/libsemblance_NAME_door.so`, that brings an engine along (a Python interpreter,
/// MPI) and is loaded on first use. Throws Error, with `remedy`, where it does not exist, or where
/// it cannot be loaded.
void* door_function(const std::string& name, const char* function, const std::string& remedy);

}  // namespace semblance
