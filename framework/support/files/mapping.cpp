// SPDX-License-Identifier: MIT
#include "support/files/mapping.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

[[noreturn]] void fail(const std::string& what, int code) {
  throw Error(what + ": " + std::strerror(code) +
              (code == ENOSPC ? "; free some, or keep the files elsewhere (--cache DIR)" : ""));
}

std::string text(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

/// A descriptor, which may be closed once the file is mapped.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

void reserve(int descriptor, std::size_t bytes, const std::filesystem::path& file,
             std::size_t first = 0) {
  if (bytes == 0) return;
  const int code =
      ::posix_fallocate(descriptor, static_cast<off_t>(first), static_cast<off_t>(bytes));
  if (code != 0) fail("cannot reserve " + text(bytes) + " for '" + file.string() + "'", code);
}

}  // namespace

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      file_(other.file_),
      apart_(std::move(other.apart_)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(file_, other.file_);
  std::swap(apart_, other.apart_);
  return *this;
}

Mapping::~Mapping() {
  if (data_) ::munmap(data_, size_);
}

Mapping Mapping::anonymous(std::size_t bytes) {
  Mapping result;
  if (bytes == 0) return result;
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) fail("cannot get " + text(bytes) + " of memory", errno);
  ::madvise(data, bytes, MADV_HUGEPAGE);
  result.data_ = static_cast<std::byte*>(data);
  result.size_ = bytes;
  return result;
}

Mapping Mapping::of_descriptor(int descriptor, std::size_t bytes, bool writable,
                               const std::filesystem::path& file) {
  Mapping result;
  result.file_ = true;
  if (bytes == 0) return result;
  void* data = ::mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
                      descriptor, 0);
  if (data == MAP_FAILED && errno == ENOMEM)
    throw MemoryError("out of memory: the address space has no room for the " + text(bytes) +
                      " of '" + file.string() +
                      "'; raise its limit (ulimit -v), or use fewer rows");
  if (data == MAP_FAILED) fail("cannot map '" + file.string() + "'", errno);
  result.data_ = static_cast<std::byte*>(data);
  result.size_ = bytes;
  return result;
}

Mapping Mapping::create(const std::filesystem::path& file, std::size_t bytes) {
  const Descriptor out{::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  if (out.value < 0) fail("cannot create '" + file.string() + "'", errno);
  reserve(out.value, bytes, file);
  return of_descriptor(out.value, bytes, true, file);
}

Mapping Mapping::join(const std::filesystem::path& file, std::size_t bytes) {
  const Descriptor out{::open(file.c_str(), O_RDWR | O_CLOEXEC)};
  if (out.value < 0) fail("cannot write to '" + file.string() + "'", errno);
  struct stat status = {};
  if (::fstat(out.value, &status) != 0) fail("cannot read '" + file.string() + "'", errno);
  if (static_cast<std::size_t>(status.st_size) != bytes)
    throw Error("'" + file.string() + "' has " + std::to_string(status.st_size) + " bytes, not " +
                std::to_string(bytes));
  return of_descriptor(out.value, bytes, true, file);
}

Mapping Mapping::temporary(const std::filesystem::path& folder, std::size_t bytes) {
  return temporary(folder, bytes, {{0, bytes}});
}

Mapping Mapping::temporary(const std::filesystem::path& folder, std::size_t bytes,
                           const std::vector<Piece>& pieces) {
  const std::string name = (folder / "spilled matrix").string();
  // Never with a name, so that nothing remains when the process is killed.
  Descriptor out{::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600)};
  if (out.value < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string named = (folder / "spill_XXXXXX").string();
    out.value = ::mkostemp(named.data(), O_CLOEXEC);
    if (out.value >= 0) ::unlink(named.c_str());
  }
  if (out.value < 0) fail("cannot create a temporary file in '" + folder.string() + "'", errno);
  if (::ftruncate(out.value, static_cast<off_t>(bytes)) != 0)
    fail("cannot make a file of " + text(bytes) + " in '" + folder.string() + "'", errno);
  for (const auto& [first, end] : pieces) reserve(out.value, end - first, name, first);
  return of_descriptor(out.value, bytes, true, name);
}

Mapping Mapping::open(const std::filesystem::path& file) {
  const Descriptor in{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (in.value < 0) fail("cannot read '" + file.string() + "'", errno);
  struct stat status = {};
  if (::fstat(in.value, &status) != 0) fail("cannot read '" + file.string() + "'", errno);
  return of_descriptor(in.value, static_cast<std::size_t>(status.st_size), false, file);
}

void Mapping::drop(std::size_t offset, std::size_t bytes) const noexcept {
  if (!file_ || !data_) return;
  // From the page of the first byte on, up to that of the last, where more follows: one range after
  // the other drops all pages, however short the ranges are. A page in use is read again.
  const std::size_t page = page_bytes();
  std::size_t first = offset / page * page;
  const std::size_t last = (offset + bytes) / page * page;
  const auto drop_until = [&](std::size_t end) {
    if (end > first) ::madvise(data_ + first, end - first, MADV_DONTNEED);
  };
  // Changes outside of the file would be lost.
  for (const std::size_t apart : apart_) {
    if (apart < first || apart >= last) continue;
    drop_until(apart);
    first = apart + page;
  }
  drop_until(last);
}

std::size_t Mapping::page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

void Mapping::keep_apart(std::size_t offset) {
  const std::size_t page = page_bytes(), first = offset / page * page;
  const auto place = std::ranges::lower_bound(apart_, first);
  if (place != apart_.end() && *place == first) return;
  const std::size_t bytes = std::min(page, size_ - first);
  const std::vector<std::byte> content(data_ + first, data_ + first + bytes);
  if (::mmap(data_ + first, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) == MAP_FAILED)
    fail("cannot get a page of memory", errno);
  std::ranges::copy(content, data_ + first);
  apart_.insert(place, first);
}

}  // namespace semblance
