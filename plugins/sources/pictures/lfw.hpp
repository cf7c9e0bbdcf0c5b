// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "class_task.hpp"
#include "pictures/image_decoding.hpp"
#include "pictures/lfw_people.hpp"
#include "pictures/picture_files.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Labeled Faces in the Wild: the people of a view or fold, or a drawn task.
class Lfw final : public Source {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Lfw> declare();

 private:
  /// The encoded pictures, and which of them are the rows.
  struct Faces {
    std::vector<PictureFile> files;
    FaceRows rows;
    std::vector<std::string> classes;
    Layout whole;  ///< of the first picture, which all must share
  };
  std::string pictures_path() const;
  Faces read(Context& context) const;
  FaceRows choose(const PeoplePictures& pictures, Context& context) const;
  FaceRows view(const PeoplePictures& pictures) const;
  FaceRows draw(const PeoplePictures& pictures, Context& context) const;
  std::vector<std::string> protocol_files() const;
  Layout cropped(const Layout& whole) const;
  Picture decoded(const PictureFile& file, const Context& context) const;
  void decode(const PictureFile& file, const PictureFile& first, const Layout& whole,
              std::span<std::uint8_t> out, const Context& context) const;

  Path path_;
  std::string images_ = "lfwa-crop112x152.tar.gz";
  std::int64_t view_ = 2;
  std::int64_t fold_ = 1;
  std::int64_t images_per_person_ = 0;
  std::int64_t crop_width_ = 0;
  std::int64_t crop_height_ = 0;
  std::string task_ = "view";
  std::int64_t classes_ = 42;
  std::int64_t examples_per_class_ = 5;
  std::int64_t test_classes_ = 0;
  std::int64_t test_examples_per_class_ = 0;
  std::int64_t test_seed_ = 0;
  std::int64_t least_examples_ = 0;
  std::optional<NewData> model_;
};

}  // namespace semblance
