// SPDX-License-Identifier: MIT
#include "support/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include "semblance/error.hpp"
#include "support/file_lock.hpp"

namespace semblance {

namespace {

namespace fs = std::filesystem;

/// ".NAME.PROCESS-NUMBER.tmp", and nothing that anybody else would call a file.
bool is_temporary(const std::string& name) {
  static const std::regex pattern("\\..+\\.[0-9]+-[0-9]+\\.tmp");
  return std::regex_match(name, pattern);
}

/// Removes what killed processes left in a folder: files in the making that nobody has locked.
/// Once a folder: no process is killed and goes on writing.
void clear_up(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> cleared;
  {
    const std::lock_guard lock(mutex);
    if (!cleared.insert(folder).second) return;
  }
  std::error_code ignored;
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  for (fs::directory_iterator item(place, ignored), end; item != end; item.increment(ignored)) {
    if (!is_temporary(item->path().filename().string())) continue;
    if (FileLock::attempt_existing(item->path())) ::unlink(item->path().c_str());
  }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  static std::atomic<unsigned> counter{0};
  clear_up(target_.parent_path());
  for (;;) {
    temporary_ = target_.parent_path() /
                 fmt::format(".{}.{}-{}.tmp", target_.filename().string(), ::getpid(), counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    // A killed process may have left a file of the same name behind: take the next one then.
    if (descriptor_ < 0 && (errno == EEXIST || errno == EINTR)) continue;
    if (descriptor_ < 0) fail("cannot create it", errno);
    if (lock()) return;
    ::close(std::exchange(descriptor_, -1));
  }
}

/// Shows others that this process lives. False where one took the file for abandoned just before;
/// a file system without locks has nobody clear up either.
bool AtomicFile::lock() const noexcept {
  struct stat status = {};
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return ::fstat(descriptor_, &status) != 0 || status.st_nlink > 0;
}

AtomicFile::~AtomicFile() { close_and_remove(); }

void AtomicFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, next, bytes);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write", errno);
    }
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit(bool sync) {
  if (sync && ::fsync(descriptor_) != 0) fail("cannot write to the disk", errno);
  // Some file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail("cannot write", code);
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail("cannot move the finished file into place", code);
  }
}

void AtomicFile::fail(const char* what, int code) const {
  throw Error(
      fmt::format("{}: {}: {}", target_.string(), what, std::generic_category().message(code)));
}

void AtomicFile::close_and_remove() noexcept {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
}

void write_file_atomically(const std::filesystem::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace semblance
