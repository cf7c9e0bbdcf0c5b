// SPDX-License-Identifier: MIT
// Each plugin is loaded in a separate process, which a broken one may crash.
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "cli/doctor/doctor.hpp"
#include "cli/plugins/supervised_process.hpp"
#include "cli/verb.hpp"
#include "registry/places.hpp"
#include "registry/plugin_library.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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
  const std::string own = fs::canonical(file).filename();
  for (const auto& library : loaded_libraries())
    if (!before.contains(library) && library != own) facts["libraries"].push_back(library);
  facts["diagnostics"] = diagnostics(file);
  return facts;
}

/// Loading takes milliseconds; a process that hangs is not a plugin.
constexpr double patience_seconds = 30;

struct Place {
  fs::path path;
  std::string origin;  ///< the setting that names it
  bool named = false;  ///< by the user: then it must exist and work
};

std::vector<Place> places(const std::vector<std::string>& options) {
  std::vector<Place> all;
  all.reserve(options.size() + 2);
  for (const auto& path : options) all.push_back({path, "--plugin-path", true});
  const char* variable = ::getenv("SEMBLANCE_PLUGIN_PATH");
  std::istringstream list(variable ? variable : "");
  for (std::string path; std::getline(list, path, ':');)
    if (!path.empty()) all.push_back({path, "$SEMBLANCE_PLUGIN_PATH", true});
  all.push_back({installed_plugins(), "comes with the program", false});
  return all;
}

std::vector<fs::path> libraries_in(const fs::path& place, std::error_code& failure) {
  if (!fs::is_directory(place, failure)) return {place};
  std::vector<fs::path> found;
  for (fs::directory_iterator item(place, failure), end; !failure && item != end;
       item.increment(failure))
    if (item->path().extension() == ".so") found.push_back(item->path());
  std::ranges::sort(found);
  return found;
}

/// The report of the process that loads the plugin, or why there is none.
Json description_of(const fs::path& library) {
  SupervisedProcess process({"doctor", "--load", library.string()});
  const auto line = process.next_line(patience_seconds);
  if (!line) return {{"problem", "while loading it, the process " + process.ending()}};
  return Json::parse(*line);
}

class PluginExamination {
 public:
  PluginExamination(Examination& seen, Json& facts) : seen_(seen), facts_(facts) {
    facts_["paths"] = Json::array();
    facts_["plugins"] = Json::array();
  }

  void look_at(const Place& place) {
    std::error_code failure;
    const bool there = fs::exists(place.path, failure);
    const auto libraries = there ? libraries_in(place.path, failure) : std::vector<fs::path>();
    const std::string state =
        !there    ? "not found"
        : failure ? failure.message()
                  : fmt::format("{} plugin{}", libraries.size(), libraries.size() == 1 ? "" : "s");
    facts_["paths"].push_back(fmt::format("{} ({}): {}", place.path.string(), place.origin, state));
    if (!there || failure)
      seen_.broken(
          fmt::format("the plugin path '{}' ({}) cannot be used: {}", place.path.string(),
                      place.origin, there ? failure.message() : "it does not exist"),
          place.named ? "correct or remove it" : "reinstall the program, or build all of it");
    for (const auto& library : libraries) load(library);
  }

  void conclude() {
    facts_["components"] = owners_.size();
    if (owners_.empty())
      seen_.broken("there are no components, so no pipeline can run",
                   "reinstall the program, or name plugins with --plugin-path");
    facts_["libraries that plugins use"] = Json(libraries_);
    facts_["what plugins found on this machine"] = diagnostics_;
  }

 private:
  void load(const fs::path& library) {
    std::error_code failure;
    if (!known_.insert(fs::weakly_canonical(library, failure)).second) return;
    const Json described = description_of(library);
    if (described.contains("problem")) {
      const auto problem = described["problem"].get<std::string>();
      facts_["plugins"].push_back(fmt::format("{}: NOT USABLE, {}", library.string(), problem));
      seen_.broken(fmt::format("the plugin '{}' cannot be used: {}", library.string(), problem),
                   "rebuild it for this version, or remove it from the plugin path");
      return;
    }
    facts_["plugins"].push_back(fmt::format(
        "{}: {} {}, {} component{}", library.string(), described["name"].get<std::string>(),
        described["version"].get<std::string>(), described["components"].size(),
        described["components"].size() == 1 ? "" : "s"));
    for (const auto& id : described["components"]) claim(id, library);
    for (const auto& used : described["libraries"]) libraries_.insert(used.get<std::string>());
    if (described.contains("diagnostics")) diagnostics_.update(described["diagnostics"]);
  }

  void claim(const std::string& id, const fs::path& library) {
    const auto [owner, first] = owners_.emplace(id, library);
    if (!first)
      seen_.broken(fmt::format("two plugins have the component '{}': '{}' and '{}'", id,
                               owner->second.string(), library.string()),
                   "remove one of them from the plugin path");
  }

  Examination& seen_;
  Json& facts_;
  std::set<fs::path> known_;
  std::map<std::string, fs::path> owners_;
  std::set<std::string> libraries_;
  Json diagnostics_ = Json::object();
};

}  // namespace

std::set<std::string> loaded_libraries() {
  std::set<std::string> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        std::error_code failure;
        const fs::path file = info->dlpi_name;
        if (!file.empty() && fs::exists(file, failure))
          static_cast<std::set<std::string>*>(all)->insert(
              fs::canonical(file, failure).filename().string());
        return 0;
      },
      &files);
  return files;
}

void examine_plugins(Examination& seen, const std::vector<std::string>& plugin_paths) {
  seen.section("plugins", [&](Json& facts) {
    PluginExamination plugins(seen, facts);
    for (const Place& place : places(plugin_paths)) plugins.look_at(place);
    plugins.conclude();
  });
}

int describe_plugin(const std::string& library) {
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
