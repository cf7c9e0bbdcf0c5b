// SPDX-License-Identifier: MIT
#include "files/archive_entries.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <utility>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

std::string unreadable(const std::string& reason) {
  return "cannot be read as a folder or an archive (" + reason +
         "); expected a complete .tar, .tar.gz or .zip";
}

}  // namespace

bool is_of_macos(std::string_view path) {
  const std::string_view file = path.substr(path.find_last_of('/') + 1);
  return file.starts_with("._") || path.starts_with("__MACOSX/") ||
         path.find("/__MACOSX/") != path.npos;
}

ArchiveEntries::ArchiveEntries(std::string path)
    : path_(std::move(path)), archive_(archive_read_new()) {
  if (!archive_) throw std::bad_alloc();
  archive_read_support_filter_gzip(archive_);
  archive_read_support_filter_xz(archive_);
  archive_read_support_filter_bzip2(archive_);
  archive_read_support_filter_zstd(archive_);
  archive_read_support_format_tar(archive_);
  archive_read_support_format_zip(archive_);
  if (archive_read_open_filename(archive_, path_.c_str(), std::size_t{1} << 18) == ARCHIVE_OK)
    return;
  const std::string reason = message();
  archive_read_free(archive_);
  throw DataError(path_, "", unreadable(reason));
}

ArchiveEntries::~ArchiveEntries() { archive_read_free(archive_); }

std::string ArchiveEntries::message() const {
  const char* text = archive_error_string(archive_);
  return text ? printable(text) : "unknown reason";
}

bool ArchiveEntries::next() {
  while (next_entry())
    if (!is_of_macos(name_)) return true;
  return false;
}

bool ArchiveEntries::next_entry() {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(archive_, &entry);
  if (status == ARCHIVE_EOF) {
    check_end();
    return false;
  }
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
    throw DataError(path_, name_.empty() ? "" : "after " + name_, unreadable(message()));
  const char* name = archive_entry_pathname(entry);
  if (!name) name = archive_entry_pathname_utf8(entry);
  name_ = printable(name ? name : "");
  if (name_.starts_with("./")) name_.erase(0, 2);
  const auto type = archive_entry_filetype(entry);
  const bool link = archive_entry_hardlink(entry) || archive_entry_symlink(entry);
  kind_ = type == AE_IFDIR   ? Kind::folder
          : link             ? Kind::link
          : type == AE_IFREG ? Kind::file
                             : Kind::special;
  return true;
}

/// libarchive takes the end of a file for that of a .tar. The compressed ones have checks of their
/// own.
void ArchiveEntries::check_end() const {
  if ((archive_format(archive_) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR ||
      archive_filter_count(archive_) > 1)
    return;
  std::array<char, 512> block{};
  std::ifstream file(path_, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(block.size()), std::ios::end);
  if (!file.read(block.data(), block.size()) ||
      !std::ranges::all_of(block, [](char c) { return c == 0; }))
    throw DataError(path_, "after " + name_,
                    "ends without the zeros that end a .tar; it is cut off, download it again");
}

bool ArchiveEntries::read(std::uint64_t most, std::vector<std::uint8_t>& bytes) {
  bytes.clear();
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (;;) {
    const int status = archive_read_data_block(archive_, &block, &size, &offset);
    if (status == ARCHIVE_EOF) break;
    if (status != ARCHIVE_OK)
      throw DataError(path_, name_,
                      "cannot be read further (" + message() +
                          "); the archive is damaged or cut off, download it again");
    if (static_cast<std::uint64_t>(offset) + size > most) return false;
    // Blocks arrive in order; a gap between them is a hole of a sparse file.
    bytes.resize(static_cast<std::size_t>(offset), 0);
    const auto* from = static_cast<const std::uint8_t*>(block);
    bytes.insert(bytes.end(), from, from + size);
  }
  bytes.shrink_to_fit();
  return true;
}

}  // namespace semblance::sources
