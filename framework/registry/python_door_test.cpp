// SPDX-License-Identifier: MIT
#include "registry/python_door.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "registry/plugin_library.hpp"
#include "semblance/error.hpp"

namespace python_door_test {

using namespace semblance;
namespace fs = std::filesystem;

namespace {

/// A file that exists while the object does.
struct File {
  explicit File(const std::string& name)
      : path(fs::temp_directory_path() / (name + std::to_string(::getpid()) + ".py")) {
    std::ofstream(path) << "import semblance\n";
  }
  ~File() { fs::remove(path); }
  fs::path path;
};

const ComponentTable none = {};
const PluginDescriptor old = {sdk_api + 1, SEMBLANCE_FINGERPRINT, "old", "1",
                              "MIT",       [](ComponentTable&) {}};
const PythonPlugin plugin = {&old, "hash", "linked", &none};

}  // namespace

TEST_CASE("files of Python are known by their ending") {
  CHECK(is_python_file("folder/cauchy.py"));
  CHECK_FALSE(is_python_file("libcauchy.so"));
  CHECK_FALSE(is_python_file("folder.py/cauchy.so"));
}

TEST_CASE("a path means the file that is there, and only a name alone one that is shipped") {
  const File file("own");
  CHECK(find_python_file(file.path) == file.path);
  CHECK(find_python_file("no_such_file.py").empty());
  CHECK(find_python_file("no_such_folder/sklearn_solver.py").empty());
  CHECK(find_python_file("../sklearn_solver.py").empty());
  CHECK(find_python_file("sklearn_solver.so").empty());
}

TEST_CASE("the reader's message is reported with its file") {
  const File file("refused");
  use_python([](const char*, const char** problem) -> const PythonPlugin* {
    *problem = "line 1 is wrong";
    return nullptr;
  });
  CHECK_THROWS_WITH_AS(
      PluginLibrary(file.path),
      ("plugin '" + file.path.string() + "' cannot be used: line 1 is wrong").c_str(), Error);
}

TEST_CASE("a door of another version is refused before its objects are used") {
  const File file("old");
  use_python([](const char*, const char**) { return &plugin; });
  CHECK_THROWS_WITH_AS(PluginLibrary(file.path), doctest::Contains("it was built for SDK API"),
                       Error);
}

}  // namespace python_door_test
