// SPDX-License-Identifier: MIT
#include "pictures/picture_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "files/archive_entries.hpp"
#include "files/byte_reader.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

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
  return name.starts_with('.') || name.find("/.") != name.npos;
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
  explicit Archive(const std::string& path) : path_(path), entries_(path) {}

  bool next(PictureFile& file) override {
    while (entries_.next()) {
      const std::string& name = entries_.name();
      const auto kind = entries_.kind();
      if (kind == ArchiveEntries::Kind::folder || hidden(name)) continue;
      if (kind != ArchiveEntries::Kind::file)
        left_out.add(name, kind == ArchiveEntries::Kind::link ? "behind links within the archive"
                                                              : "of a special kind");
      else if (!is_picture_name(name))
        left_out.add_other(name);
      else {
        file.name = name;
        if (!entries_.read(largest_picture, file.bytes)) too_large(path_, name);
        return true;
      }
    }
    return false;
  }

 private:
  std::string path_;
  ArchiveEntries entries_;
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
