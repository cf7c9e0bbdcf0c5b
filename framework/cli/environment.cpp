// SPDX-License-Identifier: MIT
#include "cli/environment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "cli/verb.hpp"

namespace semblance::cli {
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
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../lib/semblance/plugins")
      .lexically_normal();
}

fs::path shared_folder() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "../share/semblance")
      .lexically_normal();
}

Discovery discover(const std::vector<std::string>& plugin_paths) {
  PluginSearch search;
  for (const auto& path : plugin_paths) search.explicit_paths.emplace_back(path);
  search.environment = variable("SEMBLANCE_PLUGIN_PATH");
  search.installed = installed_plugins();
  search.manifests = cache_folder("") / "plugins";
  Discovery found = discover_plugins(search);
  for (const auto& warning : found.warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (found.catalogue.entries().empty())
    throw Error("no components were found; every path tried:\n" + describe(found.trials));
  return found;
}

std::size_t parse_size(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  for (const char* suffix : {"iB", "B"})
    if (unit.size() > 1 && unit.ends_with(suffix)) unit.resize(unit.size() - std::strlen(suffix));
  double factor = 1;
  for (const char* known : {"", "K", "M", "G", "T"}) {
    if (unit == known && problem == std::errc() && value * factor >= 1 && value * factor < 1e18)
      return static_cast<std::size_t>(value * factor);
    factor *= 1024;
  }
  throw UsageError("'" + text +
                   "' is not a size; write bytes, or a number with K, M, G or T, such as 4G");
}

}  // namespace semblance::cli
