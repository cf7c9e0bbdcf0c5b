// SPDX-License-Identifier: MIT
#include "registry/places.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// A folder below $NAME, or below ~/DEFAULT.
fs::path user_folder(const char* name, const char* below_home) {
  const std::string base = variable(name);
  if (!base.empty()) return fs::path(base) / "semblance";
  const std::string home = variable("HOME");
  if (!home.empty()) return fs::path(home) / below_home / "semblance";
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  return (failure ? fs::path("/tmp") : temporary) / "semblance";
}

/// The folder of the program or Python module that contains this code.
fs::path own_folder() {
  Dl_info own = {};
  if (::dladdr(reinterpret_cast<const void*>(&installed_plugins), &own) == 0 || !own.dli_fname)
    return fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path file = own.dli_fname;
  // For the program itself, the loader only knows the name as typed.
  if (file.is_absolute() && file.extension() == ".so") return fs::canonical(file).parent_path();
  return fs::read_symlink("/proc/self/exe").parent_path();
}

/// The first existing folder; the first of all if none exists.
fs::path first_folder(const std::vector<fs::path>& candidates) {
  std::error_code failure;
  for (const fs::path& folder : candidates)
    if (fs::is_directory(folder, failure)) return folder.lexically_normal();
  return candidates.front().lexically_normal();
}

fs::path first_of(const std::string& option, const char* name, const fs::path& otherwise) {
  if (!option.empty()) return fs::absolute(option);
  const std::string value = variable(name);
  return value.empty() ? otherwise : fs::absolute(value);
}

}  // namespace

fs::path data_folder(const std::string& option) {
  return first_of(option, "SEMBLANCE_DATA", user_data_folder());
}

fs::path cache_folder(const std::string& option) {
  return first_of(option, "SEMBLANCE_CACHE", user_folder("XDG_CACHE_HOME", ".cache"));
}

fs::path user_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }

fs::path installed_plugins() {
  const fs::path own = own_folder();
  return first_folder({own / "../lib/semblance/plugins",      // of the program, in bin
                       own / "lib/semblance/plugins",         // of a standalone Python package
                       own / "../../lib/semblance/plugins",   // of a package in a build folder
                       own / "../../../semblance/plugins"});  // of Debian's, in dist-packages
}

fs::path shared_folder() {
  const fs::path own = own_folder();
  return first_folder({own / "../share/semblance", own / "share/semblance",
                       own / "../../share/semblance", own / "../../../../share/semblance"});
}

Discovery discover(const std::vector<std::string>& plugin_paths) {
  PluginSearch search;
  for (const auto& path : plugin_paths) search.explicit_paths.emplace_back(path);
  search.environment = variable("SEMBLANCE_PLUGIN_PATH");
  search.installed = installed_plugins();
  search.manifests = cache_folder("") / "plugins";
  Discovery found = discover_plugins(search);
  if (found.catalogue.entries().empty())
    throw Error("no components were found; every path tried:\n" + describe(found.trials));
  return found;
}

}  // namespace semblance
