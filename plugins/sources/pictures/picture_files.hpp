// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// A picture's file, still encoded.
struct PictureFile {
  std::string name;  ///< path inside the folder or archive, with /
  std::vector<std::uint8_t> bytes;
};

/// The files with a picture's extension (.png .jpg .jpeg .pgm .ppm .pnm) of a folder and those
/// below it, by name, or of an archive (.tar, also compressed, or .zip), in its own order. Hidden
/// files are passed over. Throws DataError.
class PictureFiles {
 public:
  /// Looks at what `path` is.
  static std::unique_ptr<PictureFiles> open(const std::string& path);
  virtual ~PictureFiles() = default;

  /// False at the end.
  virtual bool next(PictureFile& file) = 0;

  /// How many pictures there are, where that is known before they are read.
  std::optional<std::size_t> count;

  /// Files passed over because of their extension, so far.
  std::size_t others = 0;
};

/// All picture files of a folder, by name; just `path` where it is a file.
std::vector<std::string> list_picture_files(const std::string& path);

/// Whether the name has a picture's extension.
bool is_picture_name(const std::string& name);

}  // namespace semblance
