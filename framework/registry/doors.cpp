// SPDX-License-Identifier: MIT
#include "registry/doors.hpp"

#include <dlfcn.h>

#include "registry/loaded_library.hpp"
#include "semblance/error.hpp"
#include "semblance/plugin.hpp"

namespace semblance {

namespace fs = std::filesystem;

fs::path sdk_folder() {
  Dl_info sdk = {};
  if (::dladdr(reinterpret_cast<const void*>(&host_fingerprint), &sdk) == 0 || !sdk.dli_fname)
    return {};
  return fs::path(sdk.dli_fname).parent_path();
}

void* door_function(const std::string& name, const char* function, const std::string& remedy) {
  const fs::path file = sdk_folder() / "semblance/doors" / ("libsemblance_" + name + "_door.so");
  std::error_code failure;
  if (!fs::exists(file, failure))
    throw Error("the program was built or installed without its door to " + name + " ('" +
                file.string() + "' is not there); " + remedy);
  // Modules that the engine loads need its symbols, but are not linked with it.
  const boost::dll::shared_library* library = nullptr;
  try {
    library = &loaded_library(file, Symbols::global);
  } catch (const Error& problem) {
    throw Error("the door to " + name + " cannot be loaded: " + problem.what());
  }
  if (!library->has(function))
    throw Error("'" + file.string() + "' is of another version; build it with this program");
  return reinterpret_cast<void*>(&library->get<void()>(function));
}

}  // namespace semblance
