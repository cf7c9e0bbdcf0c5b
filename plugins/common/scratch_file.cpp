// SPDX-License-Identifier: MIT
#include "scratch_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "semblance/error.hpp"

namespace semblance::common {
namespace {

[[noreturn]] void refuse_scratch(const std::filesystem::path& folder, std::size_t bytes,
                                 int error) {
  const std::string size = std::to_string((bytes >> 20) + 1) + " MiB";
  throw Error("cannot put " + size + " of rows on disk, in '" + folder.string() +
              "': " + std::system_category().message(error) +
              "; make room there, choose another folder with --cache DIR, or raise --memory");
}

}  // namespace

ScratchFile::ScratchFile(const std::filesystem::path& folder) : folder_(folder) {
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string named = (folder / "rows_XXXXXX").string();
    descriptor_ = ::mkostemp(named.data(), O_CLOEXEC);
    if (descriptor_ >= 0) ::unlink(named.c_str());
  }
  if (descriptor_ < 0) refuse_scratch(folder, 0, errno);
}

ScratchFile::~ScratchFile() {
  if (data_) ::munmap(data_, bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ScratchFile::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (const int error = ::posix_fallocate(descriptor_, static_cast<off_t>(bytes_),
                                          static_cast<off_t>(bytes - bytes_)))
    refuse_scratch(folder_, bytes, error);
  void* const moved =
      data_ ? ::mremap(data_, bytes_, bytes, MREMAP_MAYMOVE)
            : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (moved == MAP_FAILED) refuse_scratch(folder_, bytes, errno);
  data_ = static_cast<std::byte*>(moved);
  bytes_ = bytes;
}

void ScratchFile::drop_pages(std::size_t first, std::size_t end) const noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  first = first / page * page;
  end = end == bytes_ ? end : end / page * page;
  if (data_ && first < end) ::madvise(data_ + first, end - first, MADV_DONTNEED);
}

}  // namespace semblance::common
