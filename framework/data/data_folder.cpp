// SPDX-License-Identifier: MIT
#include "data/data_folder.hpp"

#include <algorithm>

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* endings[] = {".gz", ".xz", ".bz2", ".zst"};

std::string without_compression(const std::string& path) {
  for (const std::string ending : endings)
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  return path;
}

bool has(const fs::path& folder, const std::string& path) {
  std::error_code ignored;
  const std::string plain = without_compression(path);
  const auto there = [&](const std::string& name) { return fs::exists(folder / name, ignored); };
  return there(path) || there(plain) ||
         std::ranges::any_of(endings, [&](const char* ending) { return there(plain + ending); });
}

/// Whether `path` is `file` or one of its parent folders.
bool leads_to(const std::string& path, const std::string& file) {
  return file == path || file.starts_with(path + "/");
}

}  // namespace

bool is_present(const DataFile& file, const fs::path& folder) {
  return has(folder, file.path) ||
         std::ranges::any_of(file.instead, [&](const auto& path) { return has(folder, path); });
}

bool is_present(const Download& download, const fs::path& folder) {
  std::error_code ignored;
  if (!download.unpack.empty()) return fs::is_directory(folder / download.unpack, ignored);
  return std::ranges::all_of(download.gives,
                             [&](const DataFile& file) { return is_present(file, folder); });
}

Presence presence(const DataSet& set, const fs::path& folder) {
  const auto missing = missing_files(set, folder);
  if (missing.empty()) return Presence::all;
  std::size_t wanted = 0;
  for (const Download& download : set.downloads)
    wanted += download.unpack.empty() ? download.gives.size() : 1;
  return missing.size() < wanted ? Presence::part : Presence::none;
}

const DataSet* set_of(const std::string& path, const std::vector<DataSet>& sets) {
  const std::string wanted = without_compression(path);
  const auto gives = [&](const Download& download) {
    if (!download.unpack.empty() &&
        (leads_to(wanted, download.unpack) || leads_to(download.unpack, wanted)))
      return true;
    return std::ranges::any_of(download.gives, [&](const DataFile& file) {
      return leads_to(wanted, without_compression(file.path));
    });
  };
  const auto found = std::ranges::find_if(
      sets, [&](const DataSet& set) { return std::ranges::any_of(set.downloads, gives); });
  return found == sets.end() ? nullptr : &*found;
}

std::vector<std::string> missing_files(const DataSet& set, const fs::path& folder) {
  std::vector<std::string> missing;
  for (const Download& download : set.downloads) {
    if (!download.unpack.empty() && !is_present(download, folder))
      missing.push_back(download.unpack);
    for (const DataFile& file : download.gives)
      if (!is_present(file, folder)) missing.push_back(file.path);
  }
  return missing;
}

}  // namespace semblance
