// SPDX-License-Identifier: MIT
#include <algorithm>

#include "generated/drawn_source.hpp"
#include "generated/glyph_drawing.hpp"

namespace semblance::sources {
namespace {

/// Small grey images of ten shapes, shifted and locally deformed: a task for measures that allow
/// deformations, without any file.
class Glyphs final : public RowByRowSource {
 public:
  Glyphs() : RowByRowSource(100, 100, {"train_per_class", "test_per_class", "images"}) {}

  static Declaration<Glyphs> declare() {
    Declaration<Glyphs> declaration("source/glyphs",
                                    "Generated grey images of ten shifted and deformed shapes");
    declare_sizes(declaration, "images of each shape", 1000000);
    return declaration
        .parameter("size", &Glyphs::size_, "side length of the square image", at_least(12),
                   at_most(256), unit("pixels"))
        .parameter("shift", &Glyphs::shift_, "largest shift of the shape in x and y", at_least(0),
                   at_most(64), unit("pixels"))
        .parameter("deformation", &Glyphs::deformation_, "standard deviation of the local shifts",
                   at_least(0), at_most(32), unit("pixels"))
        .parameter("rotation", &Glyphs::rotation_, "largest rotation in either direction",
                   at_least(0), at_most(180), unit("degrees"))
        .parameter("noise", &Glyphs::noise_,
                   "standard deviation of the noise on grey values 0 to 255", at_least(0),
                   at_most(255), unit("grey levels"))
        .gives(LayoutKind::image)
        .random()
        .documentation(
            "Arrow, circle, corner, cross, heart, plus, ring, star, triangle and zigzag. Classes "
            "alternate row by row, and an image depends only on the seed and its number: asking "
            "for more images changes neither the first ones nor the test images.")
        .complexity("memory: one byte per pixel")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 30, test_per_class: 20, deformation: 2}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
  }

 protected:
  bool per_class() const override { return true; }
  DrawnShape shape() const override {
    const auto size = static_cast<std::size_t>(size_);
    return {Layout::image(size, size, 1), glyph_names()};
  }
  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    const GlyphStyle style{static_cast<std::size_t>(size_), shift_, deformation_, rotation_,
                           noise_};
    return [style](std::size_t label, Random& stream, std::span<float> row) {
      std::vector<std::uint8_t> image(row.size());
      draw_glyph(label, style, stream, image);
      std::ranges::copy(image, row.begin());
      return 0.0;
    };
  }

 private:
  std::int64_t size_ = 28;
  double shift_ = 4;
  double deformation_ = 1.5;
  double rotation_ = 8;
  double noise_ = 20;
};

}  // namespace

ComponentEntry declare_glyphs() { return Glyphs::declare().entry(); }

}  // namespace semblance::sources
