// SPDX-License-Identifier: MIT
#include "support/files/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

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

int operation(FileLock::Kind kind) { return kind == FileLock::Kind::shared ? LOCK_SH : LOCK_EX; }

/// 0, or the reason.
int take(int descriptor, int operation) noexcept {
  while (::flock(descriptor, operation) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

FileLock FileLock::wait(const fs::path& file, Kind kind) {
  FileLock lock(open_or_make(file));
  const int problem = take(lock.descriptor_, operation(kind));
  if (problem != 0) fail(file, "cannot lock it", problem);
  return lock;
}

std::optional<FileLock> FileLock::attempt(const fs::path& file, Kind kind, int* problem) {
  FileLock lock(open_or_make(file));
  const int found = take(lock.descriptor_, operation(kind) | LOCK_NB);
  if (problem) *problem = found;
  if (found != 0) return std::nullopt;
  return lock;
}

std::optional<FileLock> FileLock::attempt_existing(const fs::path& path, int* problem) noexcept {
  FileLock lock(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  const int found = lock.descriptor_ < 0 ? errno : take(lock.descriptor_, LOCK_EX | LOCK_NB);
  if (problem) *problem = found;
  if (found != 0) return std::nullopt;
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

}  // namespace semblance
