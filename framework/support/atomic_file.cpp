// SPDX-License-Identifier: MIT
#include "support/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {

namespace {

namespace fs = std::filesystem;

constexpr const char* temporary_ending = ".tmp";

/// The owner in ".NAME.OWNER.tmp"; nothing for a name that may be another program's. Older programs
/// wrote PROCESS-NUMBER there.
std::optional<std::string> owner_of(const std::string& name) {
  static const std::regex pattern(
      "\\..+\\.((?:[0-9a-f]{16}-[0-9]+-)?[0-9]+-[0-9]+(?:-[0-9]+)?(?:-unlocked)?)\\.tmp");
  std::smatch found;
  return std::regex_match(name, found, pattern) ? std::optional(found.str(1)) : std::nullopt;
}

/// Cleans up once per folder: no process is killed and still writes.
void clear_up(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> cleared;
  {
    const std::lock_guard lock(mutex);
    if (!cleared.insert(folder).second) return;
  }
  remove_abandoned_files(folder);
}

/// ".NAME.", shortened where the complete name would be too long.
std::string prefix_for(const fs::path& target) {
  constexpr std::size_t longest = 120;
  return "." + target.filename().string().substr(0, longest) + ".";
}

}  // namespace

void remove_abandoned_files(const fs::path& folder) noexcept {
  std::error_code ignored;
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  Abandoned abandoned(place);
  for (fs::directory_iterator item(place, ignored), end; item != end; item.increment(ignored)) {
    const auto owner = owner_of(item->path().filename().string());
    if (owner && abandoned(item->path(), *owner)) ::unlink(item->path().c_str());
  }
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  clear_up(target_.parent_path());
  try {
    temporary_.emplace(target_.parent_path(), prefix_for(target_), temporary_ending);
  } catch (const std::system_error& problem) {
    fail("cannot create it", problem.code().value());
  }
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(temporary_->descriptor(), next, bytes);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write", errno);
    }
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit(bool sync) {
  if (sync && ::fsync(temporary_->descriptor()) != 0) fail("cannot write to the disk", errno);
  const fs::path made = temporary_->path();
  // Some file systems report a full disk only here.
  int problem = temporary_->close();
  const char* what = "cannot write";
  if (problem == 0 && ::rename(made.c_str(), target_.c_str()) != 0) {
    problem = errno;
    what = "cannot move the finished file into place";
  }
  if (problem == 0) return;
  ::unlink(made.c_str());
  fail(what, problem);
}

void AtomicFile::fail(const char* what, int code) const {
  throw Error(
      fmt::format("{}: {}: {}", target_.string(), what, std::generic_category().message(code)));
}

void write_file_atomically(const std::filesystem::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace semblance
