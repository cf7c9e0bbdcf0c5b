// SPDX-License-Identifier: MIT
#include "plugin_files.hpp"

#include <list>
#include <mutex>

#include "entries.hpp"
#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// A file that was read, with the texts that its descriptor refers to.
struct ReadFile {
  std::string name, version, licence, hash, linked;
  ComponentTable table;
  PluginDescriptor descriptor = {};
  PythonPlugin plugin = {};
};

void fill(ReadFile& file, const py::object& read) {
  file.name = read.attr("name").cast<std::string>();
  file.version = read.attr("version").cast<std::string>();
  file.licence = read.attr("licence").cast<std::string>();
  file.hash = read.attr("hash").cast<std::string>();
  file.linked = read.attr("linked").cast<std::string>();
  for (const auto& declaration : read.attr("declarations"))
    file.table.entries.push_back(entry_of(py::reinterpret_borrow<py::object>(declaration)));
  file.descriptor = {sdk_api,
                     SEMBLANCE_FINGERPRINT,
                     file.name.c_str(),
                     file.version.c_str(),
                     file.licence.c_str(),
                     [](ComponentTable&) {}};
  file.plugin = {&file.descriptor, file.hash.c_str(), file.linked.c_str(), &file.table};
}

}  // namespace

const PythonPlugin* read_plugin(const char* file) {
  std::list<ReadFile> one(1);
  in_python([&] { fill(one.front(), part_of_package("_plugins").attr("load")(file)); });
  // Not held while Python runs: another thread could wait for it with the interpreter's lock.
  static std::mutex mutex;
  static auto& files = *new std::list<ReadFile>;  // components refer to them as long as they live
  const std::lock_guard lock(mutex);
  files.splice(files.end(), one);
  return &files.back().plugin;
}

}  // namespace semblance::python
