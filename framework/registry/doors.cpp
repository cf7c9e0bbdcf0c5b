// SPDX-License-Identifier: MIT
#include "registry/doors.hpp"

#include <dlfcn.h>

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
  // Its symbols must be global: modules that the engine loads need them, but are not linked with
  // it.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const char* why = ::dlerror();
    throw Error("the door to " + name +
                " cannot be loaded: " + (why ? why : "no reason was given"));
  }
  void* symbol = ::dlsym(library, function);
  if (!symbol)
    throw Error("'" + file.string() + "' is of another version; build it with this program");
  return symbol;
}

}  // namespace semblance
