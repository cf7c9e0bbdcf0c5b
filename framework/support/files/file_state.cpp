// SPDX-License-Identifier: MIT
#include "support/files/file_state.hpp"

#include <sys/stat.h>

namespace semblance {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileState file_state(const std::filesystem::path& file) noexcept {
  struct stat found = {};
  if (::stat(file.c_str(), &found) != 0) return {};
  if (!S_ISREG(found.st_mode)) return {found.st_dev, found.st_ino, 0, 0, 0, true};
  return {found.st_dev,
          found.st_ino,
          static_cast<std::uint64_t>(found.st_size),
          nanoseconds(found.st_mtim),
          nanoseconds(found.st_ctim),
          true};
}

}  // namespace semblance
