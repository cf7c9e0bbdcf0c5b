// SPDX-License-Identifier: MIT
#include "support/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "semblance/error.hpp"
#include "support/files/synced_together.hpp"

namespace semblance {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_ending = ".tmp";

/// The SyncedTogether of this thread.
thread_local int synced_together = 0;

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

/// [KERNEL-SPACE-]PID-START[-NUMBER]; older programs wrote PROCESS-NUMBER.
bool is_owner(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
    end = std::min(text.find('-', begin), text.size());
    fields.push_back(text.substr(begin, end - begin));
  }
  if (fields.size() < 2 || fields.size() > 5) return false;
  const bool has_kernel = fields.size() > 3;
  if (has_kernel && (fields[0].size() != 16 || !consists_of(fields[0], "0123456789abcdef")))
    return false;
  return std::all_of(fields.begin() + has_kernel, fields.end(),
                     [](std::string_view field) { return consists_of(field, "0123456789"); });
}

/// The owner in ".NAME.OWNER.tmp"; nothing for a name that may be another program's.
std::optional<std::string> owner_of(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(temporary_ending)) return std::nullopt;
  name.remove_suffix(temporary_ending.size());
  const std::size_t dot = name.rfind('.');
  if (dot < 2) return std::nullopt;
  const std::string_view owner = name.substr(dot + 1);
  constexpr std::string_view unlocked = "-unlocked";
  const std::size_t rest = owner.ends_with(unlocked) ? unlocked.size() : 0;
  if (!is_owner(owner.substr(0, owner.size() - rest))) return std::nullopt;
  return std::string(owner);
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
    temporary_.emplace(target_.parent_path(), prefix_for(target_), std::string(temporary_ending));
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
  if (sync && !SyncedTogether::lives() && ::fsync(temporary_->descriptor()) != 0)
    fail("cannot write to the disk", errno);
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

SyncedTogether::SyncedTogether(std::filesystem::path folder) : folder_(std::move(folder)) {
  ++synced_together;
}

SyncedTogether::~SyncedTogether() { --synced_together; }

bool SyncedTogether::lives() { return synced_together > 0; }

void SyncedTogether::finish() {
  const int place = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int problem = place < 0 || ::syncfs(place) != 0 ? errno : 0;
  if (place >= 0) ::close(place);
  if (problem != 0)
    throw Error(fmt::format("{}: cannot write to the disk: {}", folder_.string(),
                            std::generic_category().message(problem)));
}

}  // namespace semblance
