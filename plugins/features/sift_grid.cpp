// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "code_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "sift_descriptors.hpp"

namespace semblance::features {
namespace {

/// Square roots of the shares of each descriptor: length 1 again, or 0 without contrast.
void take_roots(std::span<float> descriptors) {
  for (std::size_t first = 0; first < descriptors.size(); first += sift_values) {
    const auto values = descriptors.subspan(first, sift_values);
    double sum = 0;
    for (const float x : values) sum += double{x};
    for (float& x : values) x = sum > 0 ? static_cast<float>(std::sqrt(double{x} / sum)) : 0.0f;
  }
}

/// Dense SIFT descriptors on a regular grid, one or more scales.
class SiftGrid final : public Feature {
 public:
  void check_parameters() const override {
    if (bins_.empty()) throw Error("'bins' is empty; give at least one size, as in [4]");
  }

  Layout bind(const Layout& input) override {
    if (input.kind != LayoutKind::image)
      throw Error("sift_grid needs images, not a " + describe(input) +
                  "; connect it to a source of images");
    const auto shrink = static_cast<std::size_t>(shrink_);
    shape_ = {input.height / shrink,        input.width / shrink, static_cast<std::size_t>(step_),
              {bins_.begin(), bins_.end()}, window_ == "flat",    smoothing_};
    if (shape_.rows() == 0 || shape_.cols() == 0)
      throw Error("an " + describe(input) + ", shrunk by " + std::to_string(shrink) +
                  ", is too small for a descriptor of 4x4 bins of " +
                  std::to_string(shape_.largest()) + " pixels; choose smaller 'bins'");
    input_ = input;
    return Layout::grid(shape_.rows(), shape_.cols(), shape_.bins.size() * sift_values);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    SiftGridDescriptors descriptors(shape_);
    std::vector<float> grey, small;
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      const auto plane = grey_plane(input_, in.row(i), grey);
      if (!all_finite(plane)) {
        std::ranges::fill(out.row_span(i), std::numeric_limits<float>::quiet_NaN());
        continue;
      }
      const float* image = plane.data();
      if (shrink_ > 1) {
        shrink_image(image, input_.height, input_.width, static_cast<std::size_t>(shrink_), small);
        image = small.data();
      }
      descriptors.describe(image, out.row_span(i));
      if (root_) take_roots(out.row_span(i));
    }
  }

  static Declaration<SiftGrid> declare() {
    return Declaration<SiftGrid>("feature/sift_grid", "SIFT descriptors on a regular grid")
        .parameter("step", &SiftGrid::step_, "distance between neighbouring descriptors",
                   at_least(1), at_most(4096), unit("pixels"))
        .parameter("bins", &SiftGrid::bins_,
                   "side length of a bin, one per scale; a descriptor covers 4x4 bins", at_least(1),
                   at_most(1024), unit("pixels"))
        .parameter("shrink", &SiftGrid::shrink_,
                   "factor by which the image is shrunk first, by averaging", at_least(1),
                   at_most(64))
        .parameter("window", &SiftGrid::window_,
                   "weighting of gradients: gaussian, or flat, which is faster and nearly the same",
                   choices({"flat", "gaussian"}))
        .parameter("smoothing", &SiftGrid::smoothing_,
                   "standard deviation, in bins, of the Gaussian that smooths the image first",
                   at_least(0), at_most(4))
        .parameter("root", &SiftGrid::root_,
                   "take the square roots of each descriptor's shares, RootSIFT, so that inner "
                   "products compare them as histograms")
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "One cell of 128 values per scale: 4x4 bins of 8 orientations, scaled to length 1, "
            "clipped at 0.2 and scaled to length 1 again; 0 where there is no contrast. All scales "
            "have the same centres, to half a pixel; the grid is as large as the largest scale "
            "allows and is centred in the image. 'step' and 'bins' are in pixels of the shrunken "
            "image. The two resolutions of the ML3 paper are two nodes: step 8 and bins [4] "
            "(patches of 16x16), and step 6 and bins [3] (12x12) with 'shrink'. Channels are "
            "averaged. Computed by VLFeat.")
        .reference(
            "Lowe, Distinctive image features from scale-invariant keypoints, IJCV 2004; ML3, "
            "section 5 (indoor scene recognition); Arandjelović, Zisserman, Three things everyone "
            "should know to improve object retrieval, CVPR 2012 (RootSIFT)")
        .complexity("time: about 100 operations per pixel and scale with the flat window")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_grid, step: 6, bins: [3], from: glyphs}
        words:  {is: normalizer/llc, words: 32, from: sift}
        svm:    {is: solver/linear_svm, from: words}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::int64_t step_ = 8;
  std::vector<std::int64_t> bins_ = {4};
  std::int64_t shrink_ = 1;
  std::string window_ = "flat";
  double smoothing_ = 1.0 / 6;
  bool root_ = false;
  Layout input_;
  SiftGridShape shape_;
};

}  // namespace

ComponentEntry declare_sift_grid() { return SiftGrid::declare().entry(); }

}  // namespace semblance::features
