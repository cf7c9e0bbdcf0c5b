// SPDX-License-Identifier: MIT
#include "crop.hpp"

#include <algorithm>
#include <string>

namespace semblance {

void Crop::check_parameters() const {
  if (!offset_.empty() && offset_.size() != 2)
    throw Error("'offset' must be two numbers, top and left, as in [1, 16]");
}

Layout Crop::bind(const Layout& input) {
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
                " extends beyond an " + describe(input) + "; lower 'height', 'width' or 'offset'");
  input_ = input;
  return output_ = Layout::image(height, width, input.depth);
}

void Crop::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i) {
    float* to = out.row(i);
    for (std::size_t c = 0; c < input_.depth; ++c)
      for (std::size_t y = 0; y < output_.height; ++y, to += output_.width)
        std::copy_n(in.row(i) + (c * input_.height + top_ + y) * input_.width + left_,
                    output_.width, to);
  }
}

Declaration<Crop> Crop::declare() {
  return Declaration<Crop>("feature/crop", "A rectangle of each image")
      .parameter("height", &Crop::height_, "height of the part to keep", at_least(1), at_most(8192),
                 unit("pixels"), required())
      .parameter("width", &Crop::width_, "width of the part to keep", at_least(1), at_most(8192),
                 unit("pixels"), required())
      .parameter("offset", &Crop::offset_,
                 "first row and column of that part, from 0; without it the part is centred",
                 at_least(0), at_most(8192), unit("pixels"))
      .accepts({LayoutKind::image})
      .gives(LayoutKind::image)
      .documentation(
          "If an odd number of pixels is cut off, the part lies half a pixel towards the top left.")
      .complexity("one copy")
      .inexpensive()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        centre: {is: feature/crop, height: 24, width: 24, from: glyphs}
        hog:    {is: feature/hog, cell: 4, from: centre}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
