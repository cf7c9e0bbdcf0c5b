// SPDX-License-Identifier: MIT

#include "code_cells.hpp"
#include "lbp_codes.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance::features {
namespace {

/// Histograms of local binary patterns in cells.
class Lbp final : public Feature {
 public:
  Layout bind(const Layout& input) override {
    cells_ = {input.height, input.width, static_cast<std::size_t>(cell_),
              patterns_ == "uniform" ? uniform_bins : 256, static_cast<std::size_t>(step_)};
    check_cells("lbp", input, cells_, CodeBorder::around(LbpCodes(radius_).border()));
    input_ = input;
    return cells_.layout();
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    const LbpCodes patterns(radius_);
    const CellScale scale = cell_scale_named(scale_);
    const auto& mapping = uniform_mapping();
    std::vector<std::uint8_t> codes(cells_.height * cells_.width);
    std::vector<float> grey;
    for (std::size_t i = 0; i < in.rows; ++i) {
      if (i % 64 == 0) context.check_stop();
      const auto image = grey_plane(input_, in.row(i), grey);
      patterns.describe(image.data(), cells_.height, cells_.width, codes);
      if (patterns_ == "uniform")
        for (auto& code : codes) code = mapping[code];
      count_codes(cells_, codes, CodeBorder::around(patterns.border()), scale, out.row_span(i));
    }
  }

  static Declaration<Lbp> declare() {
    return Declaration<Lbp>("feature/lbp", "Histograms of local binary patterns in square cells")
        .parameter("cell", &Lbp::cell_, "side length of a square cell", at_least(2), at_most(4096),
                   unit("pixels"))
        .parameter("step", &Lbp::step_,
                   "distance between neighbouring cells, which overlap if it is less than 'cell'; "
                   "0: as 'cell'",
                   at_least(0), at_most(4096), unit("pixels"))
        .parameter("radius", &Lbp::radius_, "radius of the circle of eight points around a pixel",
                   at_least(1), at_most(64), unit("pixels"))
        .parameter("patterns", &Lbp::patterns_,
                   "uniform: one bin for each pattern with at most two transitions around the "
                   "circle and one for all others, 59 in total; all: 256 bins",
                   choices({"uniform", "all"}))
        .parameter("scale", &Lbp::scale_,
                   "none: counts; root: square roots of each cell's shares; truncated: each cell "
                   "scaled to length 1, clipped at 0.2 and scaled to length 1 again",
                   choices({"none", "root", "truncated"}))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "Bit p of a pixel's pattern says whether the point at angle p pi / 4 is at least as "
            "bright as the pixel; brightness between pixels is interpolated bilinearly. Pixels "
            "whose circle leaves the image have no pattern. Cells start at the top left; an image "
            "of 150x80 has 15x8 cells of 10 pixels and 7080 values. Channels are averaged. Rows "
            "differ in length: normalizer/unit_length makes it the same.")
        .reference(
            "Ojala, Pietikäinen, Mäenpää, Multiresolution gray-scale and rotation invariant "
            "texture classification with local binary patterns, PAMI 2002; pairwise SVM, section "
            "6.3")
        .complexity("time: 32 operations per pixel; memory: one byte per pixel and thread")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        lbp:    {is: feature/lbp, cell: 9, from: glyphs}
        x:      {is: normalizer/unit_length, from: lbp}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::int64_t cell_ = 10;
  std::int64_t step_ = 0;
  double radius_ = 1;
  std::string patterns_ = "uniform";
  std::string scale_ = "none";
  Layout input_;
  CodeCells cells_;
};

}  // namespace

ComponentEntry declare_lbp() { return Lbp::declare().entry(); }

}  // namespace semblance::features
