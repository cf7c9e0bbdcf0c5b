// SPDX-License-Identifier: MIT
#pragma once

#include "pictures/image_decoding.hpp"
#include "pictures/picture_files.hpp"
#include "table_source.hpp"

namespace semblance {

/// Pictures in a folder or an archive, with one sub-folder per class.
class Images final : public TableSource {
 public:
  void check_parameters() const override;
  std::vector<std::string> files() const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Images> declare();

 private:
  /// The data read so far.
  struct Collection {
    Layout layout;                     ///< depth 0 before the first picture
    std::string first;                 ///< name of the first picture, for messages
    std::size_t pictures = 0;          ///< so far
    std::vector<std::uint8_t> values;  ///< planar, of the wanted pictures
    std::vector<std::int32_t> labels;
    std::vector<std::string> names;  ///< of the files
    ClassNames classes;
  };
  void collect(const std::string& path, bool may_lack_labels, Collection& all,
               Context& context) const;
  void make_room(const std::string& path, const PictureFiles& files, Collection& all,
                 Context& context) const;
  void append(const std::string& path, std::vector<PictureFile>& batch, Collection& all,
              Context& context) const;
  Picture decoded(const std::string& path, const PictureFile& file, std::size_t memory) const;
  void add(const Picture& picture, const std::string& path, const std::string& name,
           Collection& all) const;

  std::string color_ = "rgb";
  std::string orientation_ = "apply";
  std::vector<std::int64_t> size_;
};

/// The class of each picture: the first folder of its path. `from_archive`: folders common to all
/// pictures are skipped. Empty texts if pictures are in no folder; throws DataError if only some
/// are.
std::vector<std::string> picture_classes(const std::string& path,
                                         const std::vector<std::string>& names, bool from_archive);

}  // namespace semblance
