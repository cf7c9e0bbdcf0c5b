// SPDX-License-Identifier: MIT
#include "pictures/picture_files.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "byte_reader.hpp"
#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largest_picture = std::uint64_t{256} << 20;
constexpr std::array<std::string_view, 13> extensions = {".png", ".jpg", ".jpeg", ".jpe",  ".jfif",
                                                         ".bmp", ".tif", ".tiff", ".webp", ".pbm",
                                                         ".pgm", ".ppm", ".pnm"};

std::string extension_of(const std::string& name) {
  return lower_case(fs::path(name).extension().string());
}

[[noreturn]] void too_large(const std::string& file, const std::string& name) {
  throw DataError(file, name, "is larger than 256 MiB; this does not look like a picture");
}

bool hidden(const std::string& name) {
  return name.starts_with('.') || name.find("/.") != name.npos || name.starts_with("__MACOSX/");
}

class Folder final : public PictureFiles {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {
    list(path_, "", {});
    std::sort(names_.begin(), names_.end());
    count = names_.size();
  }

  bool next(PictureFile& file) override {
    if (at_ == names_.size()) return false;
    file.name = names_[at_++];
    file.bytes.clear();
    ByteReader reader(path_ + "/" + file.name);
    if (append_bytes(reader, largest_picture + 1, file.bytes) > largest_picture)
      too_large(path_, file.name);
    return true;
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  /// `above`: the parent folders, without links. A link to one of them would never end.
  void list(const fs::path& folder, const std::string& start, std::vector<fs::path> above) {
    std::error_code error;
    above.push_back(fs::canonical(folder, error));
    auto at = error ? fs::directory_iterator() : fs::directory_iterator(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      const std::string file = at->path().filename().string();
      const std::string name = start + file;
      if (hidden(file)) continue;
      std::error_code broken;
      const fs::file_status status = at->status(broken);
      if (fs::is_directory(status)) {
        const bool ends =
            std::ranges::find(above, fs::canonical(at->path(), broken)) == above.end();
        if (ends)
          list(at->path(), name + "/", above);
        else
          left_out.add(name, "behind links to a folder above them");
      } else if (fs::is_regular_file(status)) {
        if (is_picture_name(name))
          names_.push_back(name);
        else
          left_out.add_other(name);
      } else {
        left_out.add(name, at->is_symlink(broken) ? "behind broken links" : "of a special kind");
      }
    }
    if (error)
      throw DataError(folder.string(), "",
                      "cannot be listed (" + error.message() + "); check permissions");
  }

  std::string path_;
  std::vector<std::string> names_;
  std::size_t at_ = 0;
};

class Archive final : public PictureFiles {
 public:
  explicit Archive(std::string path) : path_(std::move(path)), archive_(archive_read_new()) {
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
  ~Archive() override { archive_read_free(archive_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  bool next(PictureFile& file) override {
    archive_entry* entry = nullptr;
    for (;;) {
      const int status = archive_read_next_header(archive_, &entry);
      if (status == ARCHIVE_EOF) return false;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
        throw DataError(path_, last_.empty() ? "" : "after " + last_, unreadable(message()));
      const char* name = archive_entry_pathname(entry);
      if (!name) name = archive_entry_pathname_utf8(entry);
      file.name = printable(name ? name : "");
      if (file.name.starts_with("./")) file.name.erase(0, 2);
      last_ = file.name;
      if (archive_entry_filetype(entry) == AE_IFDIR || hidden(file.name)) continue;
      const bool link = archive_entry_hardlink(entry) || archive_entry_symlink(entry);
      if (link || archive_entry_filetype(entry) != AE_IFREG)
        left_out.add(file.name, link ? "behind links within the archive" : "of a special kind");
      else if (is_picture_name(file.name))
        break;
      else
        left_out.add_other(file.name);
    }
    read_data(file);
    return true;
  }

 private:
  static std::string unreadable(const std::string& reason) {
    return "cannot be read as a folder or an archive (" + reason +
           "); expected a complete .tar, .tar.gz or .zip";
  }
  std::string message() const {
    const char* text = archive_error_string(archive_);
    return text ? printable(text) : "unknown reason";
  }

  void read_data(PictureFile& file) {
    file.bytes.clear();
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    for (;;) {
      const int status = archive_read_data_block(archive_, &block, &size, &offset);
      if (status == ARCHIVE_EOF) return file.bytes.shrink_to_fit();
      if (status != ARCHIVE_OK)
        throw DataError(path_, file.name,
                        "cannot be read further (" + message() +
                            "); the archive is damaged or cut off, download it again");
      if (static_cast<std::uint64_t>(offset) + size > largest_picture) too_large(path_, file.name);
      // Blocks arrive in order; a gap between them is a hole of a sparse file.
      file.bytes.resize(static_cast<std::size_t>(offset), 0);
      const auto* bytes = static_cast<const std::uint8_t*>(block);
      file.bytes.insert(file.bytes.end(), bytes, bytes + size);
    }
  }

  std::string path_;
  std::string last_;  ///< the entry before, for messages
  archive* archive_;
};

}  // namespace

std::string picture_extensions() {
  std::string all;
  for (const std::string_view known : extensions)
    all += (all.empty() ? "" : ", ") + std::string(known);
  return all;
}

bool is_picture_name(const std::string& name) {
  return std::ranges::find(extensions, extension_of(name)) != extensions.end();
}

void LeftOutFiles::add(const std::string& name, const std::string& reason) {
  names_.push_back(name);
  ++reasons_[reason];
}

void LeftOutFiles::add_other(const std::string& name) {
  const std::string extension = extension_of(name);
  add(name, extension.empty() ? "without an extension" : printable(extension));
}

std::string LeftOutFiles::text() const {
  constexpr std::size_t most = 10;
  const std::size_t files = names_.size();
  std::string text =
      std::to_string(files) + (files == 1 ? " file is ignored: " : " files are ignored: ");
  std::size_t listed = 0;
  for (const auto& [reason, count] : reasons_) {
    if (listed == most) return text + ", and others";
    text += (listed++ == 0 ? "" : ", ") + std::to_string(count) + " " + reason;
  }
  return text;
}

std::unique_ptr<PictureFiles> PictureFiles::open(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw DataError(path, "", "no such folder or archive; check the path");
  if (fs::is_directory(path, ignored)) return std::make_unique<Folder>(path);
  return std::make_unique<Archive>(path);
}

std::vector<std::string> list_picture_files(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> all;
  const Folder folder(path);
  for (const auto& name : folder.names()) all.push_back(path + "/" + name);
  return all.empty() ? std::vector<std::string>{path} : all;
}

}  // namespace semblance::sources
