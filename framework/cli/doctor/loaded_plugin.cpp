// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "cli/doctor/examination.hpp"
#include "cli/supervised_process.hpp"
#include "cli/verb.hpp"
#include "registry/plugin_library.hpp"

namespace semblance::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The files of all loaded libraries; their names contain their versions.
std::set<std::string> loaded_libraries() {
  std::set<std::string> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        std::error_code failure;
        const std::filesystem::path file = info->dlpi_name;
        if (!file.empty() && std::filesystem::exists(file, failure))
          static_cast<std::set<std::string>*>(all)->insert(
              std::filesystem::canonical(file, failure).filename().string());
        return 0;
      },
      &files);
  return files;
}

/// OpenBLAS as loaded by the plugin, if it uses it at all: nothing is loaded for this question.
Json openblas() {
  void* library = ::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return {};
  const auto text = [&](const char* function) -> std::string {
    void* symbol = ::dlsym(library, function);
    return symbol ? reinterpret_cast<char* (*)()>(symbol)() : "unknown";
  };
  Json facts = {{"configuration", text("openblas_get_config")},
                {"core", text("openblas_get_corename")}};
  if (void* symbol = ::dlsym(library, "openblas_get_num_threads"))
    facts["threads when loaded"] = reinterpret_cast<int (*)()>(symbol)();
  facts["threads in use"] = "1: components set it, the threads are the runtime's";
  return facts;
}

/// Lines "key: value" that a plugin may report about the machine.
Json diagnostics(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  void* symbol = handle ? ::dlsym(handle, "semblance_diagnostics") : nullptr;
  Json facts = Json::object();
  if (!symbol) return facts;
  const char* text = reinterpret_cast<const char* (*)()>(symbol)();
  std::istringstream lines(text ? text : "");
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); colon != std::string::npos)
      facts[line.substr(0, colon)] = line.substr(colon + 2);
  return facts;
}

Json facts_of(const std::string& file) {
  const auto before = loaded_libraries();
  const PluginLibrary plugin(file);
  Json facts = {{"name", plugin.descriptor().name},
                {"version", plugin.descriptor().version},
                {"components", Json::array()},
                {"libraries", Json::array()}};
  for (const auto& entry : plugin.table().entries) facts["components"].push_back(entry.info.id);
  const std::string own = std::filesystem::canonical(file).filename();
  for (const auto& library : loaded_libraries())
    if (!before.contains(library) && library != own) facts["libraries"].push_back(library);
  if (Json blas = openblas(); !blas.is_null()) facts["openblas"] = std::move(blas);
  facts["diagnostics"] = diagnostics(file);
  return facts;
}

}  // namespace

int tell_of_plugin(const std::string& library) {
  Json facts;
  try {
    facts = facts_of(library);
  } catch (const std::exception& problem) {
    facts = {{"problem", problem.what()}};
  } catch (...) {
    facts = {{"problem", "it threw an object that is not a std::exception"}};
  }
  const std::string line = facts.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const ssize_t written = ::write(SupervisedProcess::report_descriptor, line.data(), line.size());
  return written == static_cast<ssize_t>(line.size()) ? done : failed;
}

}  // namespace semblance::cli
