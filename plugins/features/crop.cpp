// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::features {
namespace {

/// A rectangle of an image.
class Crop final : public RowFeature, public Exportable {
 public:
  void check_parameters() const override {
    if (!offset_.empty() && offset_.size() != 2)
      throw Error("'offset' must be two numbers, top and left, as in [1, 16]");
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto height = static_cast<std::size_t>(height_), width = static_cast<std::size_t>(width_);
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < layout().depth; ++c)
      for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
          columns.push_back((c * layout().height + top_ + y) * layout().width + left_ + x);
    return formula.gather(in, std::move(columns));
  }

  static Declaration<Crop> declare() {
    return Declaration<Crop>("feature/crop", "A rectangle of each image")
        .parameter("height", &Crop::height_, "height of the part to keep", at_least(1),
                   at_most(8192), unit("pixels"), required())
        .parameter("width", &Crop::width_, "width of the part to keep", at_least(1), at_most(8192),
                   unit("pixels"), required())
        .parameter("offset", &Crop::offset_,
                   "first row and column of that part, from 0; without it the part is centred",
                   at_least(0), at_most(8192), unit("pixels"))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::image)
        .documentation(
            "If an odd number of pixels is cut off, the part lies half a pixel towards the top "
            "left.")
        .complexity("one copy")
        .inexpensive()
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        centre: {is: feature/crop, height: 24, width: 24, from: glyphs}
        hog:    {is: feature/hog, cell: 4, from: centre}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    if (input.kind != LayoutKind::image)
      throw Error("crop needs images, not a " + describe(input) +
                  "; connect it to a source of images");
    const auto height = static_cast<std::size_t>(height_), width = static_cast<std::size_t>(width_);
    const auto room = [](std::size_t whole, std::size_t part) {
      return whole > part ? (whole - part) / 2 : 0;
    };
    top_ = offset_.empty() ? room(input.height, height) : static_cast<std::size_t>(offset_[0]);
    left_ = offset_.empty() ? room(input.width, width) : static_cast<std::size_t>(offset_[1]);
    if (top_ + height > input.height || left_ + width > input.width)
      throw Error("a part " + std::to_string(width) + " wide and " + std::to_string(height) +
                  " high at row " + std::to_string(top_) + " and column " + std::to_string(left_) +
                  " extends beyond an " + describe(input) +
                  "; lower 'height', 'width' or 'offset'");
    return Layout::image(height, width, input.depth);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const auto height = static_cast<std::size_t>(height_), width = static_cast<std::size_t>(width_);
    float* to = out.data();
    for (std::size_t c = 0; c < layout().depth; ++c)
      for (std::size_t y = 0; y < height; ++y, to += width)
        std::copy_n(&in[(c * layout().height + top_ + y) * layout().width + left_], width, to);
  }

  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  std::vector<std::int64_t> offset_;
  std::size_t top_ = 0;
  std::size_t left_ = 0;
};

}  // namespace

ComponentEntry declare_crop() { return Crop::declare().entry(); }

}  // namespace semblance::features
