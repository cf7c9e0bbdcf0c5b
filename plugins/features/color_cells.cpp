// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::features {
namespace {

constexpr std::size_t most_colors = 3;

using Colors = std::array<double, most_colors>;

/// O1, O2, O3, a rotation of red, green and blue; or the single channel.
Colors colors_of(const float* pixel, std::size_t plane, std::size_t channels) {
  if (channels == 1) return {pixel[0]};
  const double red = pixel[0], green = pixel[plane], blue = pixel[2 * plane];
  return {(red - green) / std::sqrt(2.0), (red + green - 2 * blue) / std::sqrt(6.0),
          (red + green + blue) / std::sqrt(3.0)};
}

/// Mean and standard deviation of the three opponent colours, or of one channel, in square cells.
class ColorCells final : public RowFeature {
 public:
  static Declaration<ColorCells> declare() {
    return Declaration<ColorCells>(
               "feature/color_cells",
               "Mean and standard deviation of opponent colours in square cells")
        .parameter("cell", &ColorCells::cell_, "side length of a square cell", at_least(1),
                   at_most(4096), unit("pixels"))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "Six values per cell of a colour image: the means of O1 = (R - G) / sqrt 2, O2 = (R + "
            "G - 2B) / sqrt 6 and O3 = (R + G + B) / sqrt 3, then their standard deviations. Cells "
            "start at the top left; what remains at the right and at the bottom belongs to none. "
            "32x32 give 8x8x6 values at cell 4. For an image of one channel: its mean and its "
            "deviation. feature/hog describes shapes, and of the colour only which channel has the "
            "strongest gradient.")
        .reference(
            "van de Sande, Gevers, Snoek, Evaluating color descriptors for object and scene "
            "recognition, PAMI 2010: opponent colours and colour moments")
        .complexity("20 operations per pixel")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        colors: {is: feature/color_cells, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: colors}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    if (input.kind != LayoutKind::image || (input.depth != 3 && input.depth != 1))
      throw Error("color_cells needs images of one or three channels, not a " + describe(input) +
                  "; connect it to a source of images");
    const auto cell = static_cast<std::size_t>(cell_);
    if (input.height < cell || input.width < cell)
      throw Error("an " + describe(input) + " is too small for one cell of " +
                  std::to_string(cell) + " pixels; choose a smaller 'cell'");
    return Layout::grid(input.height / cell, input.width / cell, 2 * input.depth);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const auto cell = static_cast<std::size_t>(cell_);
    const std::size_t height = layout().height, width = layout().width, plane = height * width;
    const auto count = static_cast<double>(cell * cell);
    const std::size_t colors = layout().depth;
    float* to = out.data();
    for (std::size_t row = 0; row + cell <= height; row += cell)
      for (std::size_t column = 0; column + cell <= width; column += cell, to += 2 * colors) {
        // Differences from the cell's first pixel: squares of large values would lose digits.
        Colors sums{}, squares{}, first{};
        for (std::size_t y = row; y < row + cell; ++y)
          for (std::size_t x = column; x < column + cell; ++x) {
            const Colors value = colors_of(&in[y * width + x], plane, colors);
            if (y == row && x == column) first = value;
            for (std::size_t k = 0; k < colors; ++k) {
              const double left = value[k] - first[k];
              sums[k] += left;
              squares[k] += left * left;
            }
          }
        for (std::size_t k = 0; k < colors; ++k) {
          const double mean = sums[k] / count;
          to[k] = static_cast<float>(first[k] + mean);
          to[colors + k] =
              static_cast<float>(std::sqrt(std::max(0.0, squares[k] / count - mean * mean)));
        }
      }
  }

  std::int64_t cell_ = 4;
};

}  // namespace

ComponentEntry declare_color_cells() { return ColorCells::declare().entry(); }

}  // namespace semblance::features
