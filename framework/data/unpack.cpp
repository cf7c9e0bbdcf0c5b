// SPDX-License-Identifier: MIT
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <set>

#include "data/content.hpp"
#include "data/get_data_set.hpp"
#include "pipeline/yaml/diagnostic.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_members = 1'000'000;

/// An archive (tar, zip, ...; compressed or not) that is read from its beginning to its end.
class Archive {
 public:
  Archive(fs::path file, std::uint64_t at_most)
      : file_(std::move(file)), left_(at_most), at_most_(at_most) {
    if (!reader_) throw std::bad_alloc();
    archive_read_support_filter_all(reader_.get());
    archive_read_support_format_all(reader_.get());
    if (archive_read_open_filename(reader_.get(), file_.c_str(), 1 << 18) != ARCHIVE_OK) fail();
  }

  /// The path of the next member; nothing after the last.
  std::optional<std::string> next() {
    const int result = archive_read_next_header(reader_.get(), &entry_);
    if (result == ARCHIVE_EOF) return std::nullopt;
    if (result != ARCHIVE_OK) fail();
    if (++members_ > most_members) refuse(fmt::format("it has more than {} members", most_members));
    const char* path = archive_entry_pathname(entry_);
    if (!path) refuse("a member has no readable name");
    return path;
  }

  bool is_folder() const { return archive_entry_filetype(entry_) == AE_IFDIR; }
  bool is_regular() const {
    return archive_entry_filetype(entry_) == AE_IFREG && !archive_entry_hardlink(entry_) &&
           !archive_entry_symlink(entry_);
  }

  void extract(NewFile& to) {
    const void* data = nullptr;
    std::size_t bytes = 0;
    la_int64_t offset = 0;
    la_int64_t expected = 0;
    for (;;) {
      const int result = archive_read_data_block(reader_.get(), &data, &bytes, &offset);
      if (result == ARCHIVE_EOF) break;
      if (result != ARCHIVE_OK) fail();
      if (offset != expected) refuse("a member is a sparse file, which no data set needs");
      if (bytes > left_) refuse(fmt::format("it has more than {} bytes unpacked", at_most_));
      left_ -= bytes;
      expected += static_cast<la_int64_t>(bytes);
      to.write({static_cast<const char*>(data), bytes});
    }
    to.close();
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error("the archive '" + file_.string() + "' was not unpacked: " + why);
  }

 private:
  [[noreturn]] void fail() const {
    const char* reason = archive_error_string(reader_.get());
    refuse(reason ? reason : "it is damaged");
  }

  fs::path file_;
  std::unique_ptr<archive, int (*)(archive*)> reader_{archive_read_new(), archive_read_free};
  archive_entry* entry_ = nullptr;
  std::size_t members_ = 0;
  std::uint64_t left_;
  std::uint64_t at_most_;
};

bool is_member(const std::string& path, const std::string& wanted) {
  return path == wanted || path.ends_with("/" + wanted);
}

/// The member's path without "./" and "//"; refused where it could lead outside.
fs::path inside(const Archive& from, const std::string& path) {
  const bool readable = std::ranges::none_of(
      path, [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; });
  fs::path clean;
  bool plain = readable && !path.empty() && path.front() != '/' && path.size() < 4096;
  for (const auto& part : fs::path(path)) {
    if (part == "..") plain = false;
    if (part != "." && !part.empty()) clean /= part;
  }
  if (!plain) from.refuse("its member " + quote(path) + " would lie outside the folder");
  return clean;
}

}  // namespace

void unpack_members(const fs::path& file, const std::vector<DataFile>& wanted,
                    const fs::path& folder, std::uint64_t at_most) {
  Archive from(file, at_most);
  std::set<std::string> found;
  while (const auto path = from.next()) {
    for (const DataFile& one : wanted) {
      if (!is_member(*path, one.member)) continue;
      if (!found.insert(one.member).second)
        from.refuse("its member " + quote(one.member) + " appears twice");
      if (!from.is_regular())
        from.refuse("its member " + quote(one.member) + " is a link or not a regular file");
      NewFile to(folder / one.path, one.without_lines);
      from.extract(to);
      break;
    }
  }
  for (const DataFile& one : wanted)
    if (!found.contains(one.member)) from.refuse("its member " + quote(one.member) + " is missing");
}

void unpack_all(const fs::path& file, const fs::path& folder, std::uint64_t at_most) {
  Archive from(file, at_most);
  std::size_t files = 0;
  while (const auto path = from.next()) {
    const fs::path place = inside(from, *path);
    if (from.is_folder()) continue;
    if (!from.is_regular())
      from.refuse("its member " + quote(*path) + " is a link or not a regular file");
    if (place.empty()) from.refuse("a member has no name");
    NewFile to(folder / place);
    from.extract(to);
    ++files;
  }
  if (files == 0) from.refuse("it holds no files");
}

}  // namespace semblance
