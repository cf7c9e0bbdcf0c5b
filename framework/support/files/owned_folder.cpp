// SPDX-License-Identifier: MIT
#include "support/files/owned_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <system_error>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark_ending = ".lock";

/// The part of a name that identifies the owner: without a suffix, and without the prefix of an
/// unfinished file's name.
std::string owner_in(const fs::path& path) {
  std::string name = path.stem().string();
  if (name.starts_with('.')) name.erase(0, name.rfind('.') + 1);
  return name;
}

}  // namespace

OwnedFolder::OwnedFolder(const fs::path& parent) : process_(::getpid()) {
  try {
    mark_.emplace(parent, "", mark_ending);
  } catch (const std::system_error& problem) {
    throw Error(
        fmt::format("cannot create a file in '{}': {}", parent.string(), problem.code().message()));
  }
  mark_->keep_alive();
  folder_ = mark_->path();
  folder_.replace_extension();
}

OwnedFolder::~OwnedFolder() {
  if (process_ != ::getpid()) return;  // a child of fork() has only a copy
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path OwnedFolder::new_path(const std::string& ending) {
  static std::atomic<unsigned> counter{0};
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure)
    throw Error(fmt::format("{}: cannot create it: {}", folder_.string(), failure.message()));
  return folder_ / fmt::format("{}-{}", counter++, ending);
}

void remove_abandoned_folders(const fs::path& parent) noexcept {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator item(parent, ignored), end; item != end; item.increment(ignored))
    found.push_back(item->path());
  Abandoned abandoned(parent);
  for (const fs::path& path : found) {
    // A folder is removed with its mark, which is made first and removed last.
    const bool folder = path.extension().empty();
    if (folder && fs::exists(path.string() + mark_ending, ignored)) continue;
    if (!abandoned(path, owner_in(path))) continue;
    if (path.extension() == mark_ending)
      fs::remove_all(fs::path(path).replace_extension(), ignored);
    fs::remove_all(path, ignored);
  }
}

}  // namespace semblance
