// SPDX-License-Identifier: MIT
#include <string>

#include "hog_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance::features {
namespace {

/// The 31-dimensional HOG of BE-SVM: one grid of cells an image, borders included.
class Hog final : public Feature {
 public:
  Layout bind(const Layout& input) override {
    if (input.kind != LayoutKind::image)
      throw Error("hog needs images, not a " + describe(input) +
                  "; connect it to a source of images");
    shape_ = {input.height, input.width, input.depth, static_cast<std::size_t>(cell_),
              orientation_ == "bilinear"};
    if (shape_.rows() == 0 || shape_.cols() == 0)
      throw Error("an " + describe(input) + " is too small for one cell of " +
                  std::to_string(cell_) + " pixels; choose a smaller 'cell'");
    if (input.height < 3 || input.width < 3)
      throw Error("hog needs images of at least 3x3 pixels to compute gradients, not an " +
                  describe(input));
    return Layout::grid(shape_.rows(), shape_.cols(), HogCells::depth);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    HogCells cells(shape_);
    for (std::size_t i = 0; i < in.rows; ++i) {
      if (i % 64 == 0) context.check_stop();
      cells.describe(in.row(i), out.row(i));
    }
  }

  static Declaration<Hog> declare() {
    return Declaration<Hog>("feature/hog",
                            "Histograms of oriented gradients, 31 values per cell (UoCTTI variant)")
        .parameter("cell", &Hog::cell_, "side length of a square cell", at_least(2), at_most(4096),
                   unit("pixels"))
        .parameter("orientation", &Hog::orientation_,
                   "hard: each gradient goes to the nearest orientation; bilinear: it is split "
                   "between the two nearest",
                   choices({"hard", "bilinear"}))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "Nine undirected and eighteen directed orientations, four texture energies; each cell "
            "is normalized by its neighbours. Images of 32x32 give 4x4x31 values at cell 8 and "
            "8x8x31 at cell 4. For colour, the channel with the strongest gradient counts at each "
            "pixel. Computed by VLFeat.")
        .reference(
            "BE-SVM, section 3; Felzenszwalb et al., Object detection with discriminatively "
            "trained part-based models, PAMI 2010")
        .complexity("time: pixels x channels; memory: one image's cells per thread")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::int64_t cell_ = 8;
  std::string orientation_ = "bilinear";
  HogShape shape_;
};

}  // namespace

ComponentEntry declare_hog() { return Hog::declare().entry(); }

}  // namespace semblance::features
