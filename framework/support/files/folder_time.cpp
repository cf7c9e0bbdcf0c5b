// SPDX-License-Identifier: MIT
#include "support/files/folder_time.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "support/files/process_identity.hpp"

namespace semblance {

namespace fs = std::filesystem;

std::optional<fs::file_time_type> time_in(const fs::path& folder) {
  static std::atomic<unsigned> counter{0};
  // Named like an unfinished file: if this process is killed here, it will be cleaned up like one.
  const fs::path file =
      folder / fmt::format(".now.{}-{}.tmp", ProcessIdentity::own().text(), counter++);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return std::nullopt;
  ::futimens(descriptor, nullptr);
  ::close(descriptor);
  std::error_code failure;
  const auto time = fs::last_write_time(file, failure);
  ::unlink(file.c_str());
  return failure ? std::nullopt : std::optional(time);
}

bool touch(const fs::path& file) noexcept {
  return ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0) == 0;
}

}  // namespace semblance
