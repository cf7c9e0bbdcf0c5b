// SPDX-License-Identifier: MIT
#include "support/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_ending = ".lock";

[[noreturn]] void fail(const fs::path& file, const char* what, int code) {
  throw Error(
      fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(code)));
}

int open_or_make(const fs::path& file) {
  int descriptor = -1;
  do {
    descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) fail(file, "cannot open it", errno);
  return descriptor;
}

/// 0, or the reason.
int take(int descriptor, int operation) noexcept {
  while (::flock(descriptor, operation) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

FileLock FileLock::wait(const fs::path& file, Kind kind) {
  FileLock lock(open_or_make(file));
  const int problem = take(lock.descriptor_, kind == Kind::shared ? LOCK_SH : LOCK_EX);
  if (problem != 0) fail(file, "cannot lock it", problem);
  return lock;
}

std::optional<FileLock> FileLock::attempt(const fs::path& file, Kind kind) {
  FileLock lock(open_or_make(file));
  const int problem = take(lock.descriptor_, (kind == Kind::shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
  if (problem == EWOULDBLOCK) return std::nullopt;
  if (problem != 0) fail(file, "cannot lock it", problem);
  return lock;
}

std::optional<FileLock> FileLock::attempt_existing(const fs::path& path, bool* taken) noexcept {
  FileLock lock(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (lock.descriptor_ < 0) return std::nullopt;
  const int problem = take(lock.descriptor_, LOCK_EX | LOCK_NB);
  if (taken) *taken = problem == EWOULDBLOCK;
  if (problem != 0) return std::nullopt;
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::named() const noexcept {
  struct stat status = {};
  return ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0;
}

OwnedFolder::OwnedFolder(fs::path parent) {
  static std::atomic<unsigned> counter{0};
  // Whoever clears up may take a new file for an abandoned one before it is locked: the next then.
  while (!lock_ || !lock_->named()) {
    folder_ = parent / fmt::format("{}-{}", ::getpid(), counter++);
    const fs::path file = folder_.string() + lock_ending;
    std::error_code ignored;
    if (fs::exists(file, ignored)) continue;
    lock_ = FileLock::attempt(file, FileLock::Kind::exclusive);
  }
}

OwnedFolder::~OwnedFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove(folder_.string() + lock_ending, ignored);
}

fs::path OwnedFolder::new_path(const std::string& ending) {
  static std::atomic<unsigned> counter{0};
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) fail(folder_, "cannot create it", failure.value());
  return folder_ / fmt::format("{}-{}", counter++, ending);
}

void remove_abandoned_folders(const fs::path& parent) noexcept {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (fs::directory_iterator item(parent, ignored), end; item != end; item.increment(ignored))
    found.push_back(item->path());
  for (const fs::path& path : found) {
    if (path.extension() != lock_ending) {
      // The lock is made first and goes last: without one nobody owns the folder.
      if (!fs::exists(path.string() + lock_ending, ignored)) fs::remove_all(path, ignored);
      continue;
    }
    const auto lock = FileLock::attempt_existing(path);
    if (!lock) continue;
    fs::path folder = path;
    fs::remove_all(folder.replace_extension(), ignored);
    fs::remove(path, ignored);
  }
}

}  // namespace semblance
