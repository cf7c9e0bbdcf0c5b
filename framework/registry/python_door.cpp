// SPDX-License-Identifier: MIT
#include "registry/python_door.hpp"

#include <dlfcn.h>

#include <atomic>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

std::atomic<ReadPythonPlugin*> reader = nullptr;

/// The folder of the SDK's library, which the program and the Python package are linked with.
fs::path sdk_folder() {
  Dl_info sdk = {};
  if (::dladdr(reinterpret_cast<const void*>(&host_fingerprint), &sdk) == 0 || !sdk.dli_fname)
    return {};
  return fs::path(sdk.dli_fname).parent_path();
}

fs::path door_file() { return sdk_folder() / "semblance/doors/libsemblance_python_door.so"; }

/// Where the Python package may lie: in a build folder, in a wheel, below the prefix of an
/// installation.
std::vector<fs::path> package_folders() {
  const fs::path lib = sdk_folder();
  std::vector<fs::path> folders = {lib / "../python/semblance", lib / ".."};
  std::error_code failure;
  for (const auto& item : fs::directory_iterator(lib, failure))
    if (item.path().filename().string().starts_with("python3"))
      for (const char* packages : {"dist-packages", "site-packages"})
        folders.push_back(item.path() / packages / "semblance");
  return folders;
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

fs::path find_python_file(const fs::path& path) {
  std::error_code failure;
  if (fs::is_regular_file(path, failure)) return path;
  if (!is_python_file(path) || path.has_parent_path()) return {};
  for (const fs::path& folder : package_folders())
    if (fs::is_regular_file(folder / "components" / path, failure))
      return fs::canonical(folder / "components" / path, failure);
  return {};
}

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
