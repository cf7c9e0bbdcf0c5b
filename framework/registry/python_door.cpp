// SPDX-License-Identifier: MIT
#include "registry/python_door.hpp"

#include <atomic>
#include <vector>

#include "registry/doors.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

std::atomic<ReadPythonPlugin*> reader = nullptr;

/// The possible folders of the Python package: in a build folder, in a wheel, or below the prefix
/// of an installation.
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

ReadPythonPlugin* open_door() {
  return reinterpret_cast<ReadPythonPlugin*>(
      door_function("python", "semblance_python_plugin",
                    "build it on a machine with Python's headers and library (apt-get install "
                    "python3-dev pybind11-dev), or install python3-semblance"));
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
