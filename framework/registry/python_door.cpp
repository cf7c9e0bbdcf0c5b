// SPDX-License-Identifier: MIT
#include "registry/python_door.hpp"

#include <dlfcn.h>

#include <atomic>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

std::atomic<ReadPythonPlugin*> reader = nullptr;

/// lib/semblance/doors beside the SDK's library, which the program is linked with.
fs::path door_file() {
  Dl_info sdk = {};
  fs::path folder;
  if (::dladdr(reinterpret_cast<const void*>(&host_fingerprint), &sdk) != 0 && sdk.dli_fname)
    folder = fs::path(sdk.dli_fname).parent_path();
  return folder / "semblance/doors/libsemblance_python_door.so";
}

/// Its symbols are for all: modules of Python need them, and are not linked with its library.
ReadPythonPlugin* open_door() {
  const fs::path file = door_file();
  std::error_code failure;
  if (!fs::exists(file, failure))
    throw Error("the program was built or installed without its door to Python ('" + file.string() +
                "' is not there); build it where Python's headers and library are (apt-get install "
                "python3-dev pybind11-dev), or install python3-semblance");
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const char* why = ::dlerror();
    throw Error(std::string("the door to Python cannot be loaded: ") +
                (why ? why : "no reason was given"));
  }
  void* symbol = ::dlsym(library, "semblance_python_plugin");
  if (!symbol)
    throw Error("'" + file.string() + "' is of another version; build it with this program");
  return reinterpret_cast<ReadPythonPlugin*>(symbol);
}

}  // namespace

bool is_python_file(const fs::path& file) { return file.extension() == ".py"; }

void use_python(ReadPythonPlugin* read) { reader = read; }

const PythonPlugin& read_python_plugin(const fs::path& file) {
  ReadPythonPlugin* read = reader.load();
  if (!read) reader = read = open_door();
  const char* problem = nullptr;
  const PythonPlugin* plugin = read(fs::absolute(file).c_str(), &problem);
  if (!plugin) throw Error(problem ? problem : "it cannot be read");
  return *plugin;
}

}  // namespace semblance
