// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace semblance::sources {

/// A picture's file, still encoded.
struct PictureFile {
  std::string name;  ///< path inside the folder or archive, with /
  std::vector<std::uint8_t> bytes;
};

/// The skipped files.
class LeftOutFiles {
 public:
  /// `reason`: ".gif", or "behind broken links".
  void add(const std::string& name, const std::string& reason);
  /// Like add(), by its extension.
  void add_other(const std::string& name);

  const std::vector<std::string>& names() const noexcept { return names_; }
  bool empty() const noexcept { return names_.empty(); }
  /// "3 files are ignored: 2 .gif, 1 without an extension".
  std::string text() const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> reasons_;
};

/// The files with a picture's extension of a folder and those below it, by name, or of an archive
/// (.tar, also compressed, or .zip), in its own order. Links of a folder are followed. Hidden files
/// are passed over. Throws DataError.
class PictureFiles {
 public:
  /// Opens `path`, a file, folder or archive.
  static std::unique_ptr<PictureFiles> open(const std::string& path);
  virtual ~PictureFiles() = default;

  /// False at the end.
  virtual bool next(PictureFile& file) = 0;

  /// The number of pictures, if known before reading.
  std::optional<std::size_t> count;

  /// The files skipped so far.
  LeftOutFiles left_out;
};

/// All picture files of a folder, by name; only `path` if it is a file.
std::vector<std::string> list_picture_files(const std::string& path);

/// The extensions of pictures, as messages list them.
std::string picture_extensions();

/// Whether the name has a picture's extension.
bool is_picture_name(const std::string& name);

}  // namespace semblance::sources
