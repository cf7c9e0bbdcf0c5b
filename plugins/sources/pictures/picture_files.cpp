// SPDX-License-Identifier: MIT
#include "pictures/picture_files.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <filesystem>

#include "byte_reader.hpp"
#include "semblance/error.hpp"
#include "text/text_values.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t largest_picture = std::uint64_t{256} << 20;

[[noreturn]] void too_large(const std::string& file, const std::string& name) {
  throw DataError(file, name, "is larger than 256 MiB; this does not look like a picture");
}

bool hidden(const std::string& name) {
  return name.starts_with('.') || name.find("/.") != name.npos || name.starts_with("__MACOSX/");
}

class Folder final : public PictureFiles {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {
    std::error_code error;
    auto at = fs::recursive_directory_iterator(path_, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      const std::string name = fs::relative(at->path(), path_).generic_string();
      if (hidden(name) || !at->is_regular_file(error)) continue;
      if (is_picture_name(name))
        names_.push_back(name);
      else
        ++others;
    }
    if (error)
      throw DataError(path_, "", "cannot be listed (" + error.message() + "); check permissions");
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
      if (archive_entry_filetype(entry) != AE_IFREG || hidden(file.name)) continue;
      if (is_picture_name(file.name)) break;
      ++others;
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
      // Blocks come in order; a gap between them is a hole of a sparse file.
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

bool is_picture_name(const std::string& name) {
  std::string extension = fs::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  for (const char* known : {".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"})
    if (extension == known) return true;
  return false;
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

}  // namespace semblance
