// SPDX-License-Identifier: MIT
#include "report/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  static std::atomic<unsigned> counter{0};
  // A killed process may have left a file of the same name behind: take the next one then.
  do {
    temporary_ = target_.parent_path() /
                 fmt::format(".{}.{}-{}.tmp", target_.filename().string(), ::getpid(), counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && (errno == EEXIST || errno == EINTR));
  if (descriptor_ < 0) fail("cannot create it", errno);
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
    fail("cannot put the finished file in its place", code);
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
