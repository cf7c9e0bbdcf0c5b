// SPDX-License-Identifier: MIT

#include "code_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "tplbp_codes.hpp"

namespace semblance::features {
namespace {

/// Histograms of three-patch local binary patterns in cells.
class Tplbp final : public Feature {
 public:
  void check_parameters() const override {
    if (patch_ % 2 == 0)
      throw Error("'patch' must be odd, so that a patch has a centre pixel; use " +
                  std::to_string(patch_ + 1));
    if (alpha_ >= patches_)
      throw Error("'alpha' (" + std::to_string(alpha_) + ") must be below 'patches' (" +
                  std::to_string(patches_) + ")");
  }

  Layout bind(const Layout& input) override {
    cells_ = {input.height, input.width, static_cast<std::size_t>(cell_),
              std::size_t{1} << static_cast<std::size_t>(patches_),
              static_cast<std::size_t>(step_)};
    check_cells("tplbp", input, cells_, TplbpCodes(shape()).border());
    input_ = input;
    return cells_.layout();
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    TplbpCodes patterns(shape());
    const CellScale scale = cell_scale_named(scale_);
    std::vector<std::uint8_t> codes(cells_.height * cells_.width);
    std::vector<float> grey;
    for (std::size_t i = 0; i < in.rows; ++i) {
      if (i % 64 == 0) context.check_stop();
      const auto image = grey_plane(input_, in.row(i), grey);
      patterns.describe(image.data(), cells_.height, cells_.width, codes);
      count_codes(cells_, codes, patterns.border(), scale, out.row_span(i));
    }
  }

  static Declaration<Tplbp> declare() {
    return Declaration<Tplbp>("feature/tplbp",
                              "Histograms of three-patch local binary patterns in square cells")
        .parameter("cell", &Tplbp::cell_, "side length of a square cell", at_least(2),
                   at_most(4096), unit("pixels"))
        .parameter("step", &Tplbp::step_,
                   "distance between neighbouring cells, which overlap if it is less than 'cell'; "
                   "0: as 'cell'",
                   at_least(0), at_most(4096), unit("pixels"))
        .parameter("patches", &Tplbp::patches_, "S, the number of patches on the circle; 2^S bins",
                   at_least(2), at_most(8))
        .parameter("patch", &Tplbp::patch_, "w, the side length of a square patch; odd",
                   at_least(1), at_most(63), unit("pixels"))
        .parameter("alpha", &Tplbp::alpha_, "each patch is compared with the alpha-th after it",
                   at_least(1), at_most(7))
        .parameter("radius", &Tplbp::radius_, "radius of the circle of patches", at_least(1),
                   at_most(64), unit("pixels"))
        .parameter("tau", &Tplbp::tau_,
                   "how much farther than the second the first of two patches must be", at_least(0))
        .parameter("scale", &Tplbp::scale_,
                   "none: counts; root: square roots of each cell's shares; truncated: each cell "
                   "scaled to length 1, clipped at 0.2 and scaled to length 1 again",
                   choices({"none", "root", "truncated"}))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "Bit i of a pixel's code says whether d(C_i, C_p) - d(C_(i + alpha mod S), C_p) >= "
            "tau, where C_p is the patch at the pixel, C_i the i-th on the circle, at whole "
            "pixels, and d the Euclidean distance. Pixels whose patches leave the image have no "
            "code. Channels are averaged. The defaults for S, w, tau and the histograms' scale are "
            "the paper's; those for alpha and the radius, whose best values depend on the images, "
            "did best with cosines on the training pairs of view 1 of LFW.")
        .reference(
            "Wolf, Hassner, Taigman, Descriptor based methods in the wild, 2008, section 3.1; "
            "pairwise SVM, section 6.3")
        .complexity(
            "time: S (2w + 6) operations per pixel; memory: 4 (S + 1) bytes per pixel and thread")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        tplbp:  {is: feature/tplbp, from: glyphs}
        x:      {is: normalizer/unit_length, from: tplbp}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  TplbpCodes::Shape shape() const {
    return {static_cast<std::size_t>(patches_), static_cast<std::size_t>(patch_),
            static_cast<std::size_t>(alpha_), radius_, tau_};
  }

  std::int64_t cell_ = 10;
  std::int64_t step_ = 0;
  std::int64_t patches_ = 8;
  std::int64_t patch_ = 3;
  std::int64_t alpha_ = 5;
  double radius_ = 2;
  double tau_ = 0.01;
  std::string scale_ = "truncated";
  Layout input_;
  CodeCells cells_;
};

}  // namespace

ComponentEntry declare_tplbp() { return Tplbp::declare().entry(); }

}  // namespace semblance::features
