// SPDX-License-Identifier: MIT
#include "generated/glyph_drawing.hpp"
#include "memory_dataset.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {
namespace {

/// Small grey images of ten shapes, shifted and locally deformed: a task for measures that allow
/// deformations, without any file.
class Glyphs final : public Source {
 public:
  bool selects_rows() const override { return true; }
  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Glyphs> declare();

 private:
  std::int64_t train_per_class_ = 100;
  std::int64_t test_per_class_ = 100;
  std::int64_t size_ = 28;
  double shift_ = 4;
  double deformation_ = 1.5;
  double rotation_ = 8;
  double noise_ = 20;
};

void Glyphs::check_parameters() const {
  if (train_per_class_ + test_per_class_ == 0)
    throw Error("'train_per_class' and 'test_per_class' are both 0, so there are no images");
}

Outline Glyphs::outline(Context&) const {
  const auto size = static_cast<std::size_t>(size_);
  const std::size_t classes = glyph_names().size();
  return {Layout::image(size, size, 1), classes * static_cast<std::size_t>(train_per_class_),
          classes * static_cast<std::size_t>(test_per_class_), glyph_names()};
}

std::unique_ptr<Dataset> Glyphs::open(Context& context) const {
  const Outline outline = this->outline(context);
  const std::size_t pixels = outline.layout.size(), classes = outline.classes.size();
  const GlyphStyle style{static_cast<std::size_t>(size_), shift_, deformation_, rotation_, noise_};
  // Two seeds, so that the test images do not depend on the number of training images.
  Random random = context.random();
  const std::uint64_t train_seed = random.bits(), test_seed = random.bits();
  const HeldRows held(wanted(), outline.rows());
  std::vector<std::uint8_t> images(wanted().count(0, outline.rows()) * pixels);
  std::vector<std::int32_t> labels(outline.rows());
  context.parallel_for(block_count(outline.rows()), [&](std::size_t block) {
    context.check_stop();
    const std::size_t last = std::min(outline.rows(), (block + 1) * block_rows);
    for (std::size_t row = block * block_rows; row < last; ++row) {
      const bool test = row >= outline.train_rows;
      const std::size_t number = test ? row - outline.train_rows : row;
      labels[row] = static_cast<std::int32_t>(number % classes);
      if (!wanted().contains(static_cast<std::int64_t>(row))) continue;
      draw_glyph(number % classes, style, Random::stream(test ? test_seed : train_seed, number),
                 std::span(images).subspan(held[row] * pixels, pixels));
    }
  });
  return make_dataset(outline.layout, outline.classes, std::move(images), std::move(labels),
                      Split{outline.train_rows, outline.test_rows, {}}, {}, {}, held);
}

Declaration<Glyphs> Glyphs::declare() {
  return Declaration<Glyphs>("source/glyphs",
                             "Generated grey images of ten shifted and deformed shapes")
      .parameter("train_per_class", &Glyphs::train_per_class_, "training images of each shape",
                 at_least(0), at_most(1000000))
      .parameter("test_per_class", &Glyphs::test_per_class_, "test images of each shape",
                 at_least(0), at_most(1000000))
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
          "alternate row by row, and an image depends only on the seed and its number: asking for "
          "more images changes neither the first ones nor the test images.")
      .complexity("memory: one byte per pixel")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 30, test_per_class: 20, deformation: 2}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_glyphs() { return Glyphs::declare().entry(); }

}  // namespace semblance::sources
