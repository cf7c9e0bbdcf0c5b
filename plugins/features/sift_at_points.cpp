// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "code_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "sift_descriptors.hpp"

namespace semblance::features {
namespace {

/// SIFT descriptors at given points of the image.
class SiftAtPoints final : public Feature {
 public:
  void check_parameters() const override {
    if (x_.empty() || x_.size() != y_.size())
      throw Error("'x' has " + std::to_string(x_.size()) + " values and 'y' has " +
                  std::to_string(y_.size()) + "; give both for every point");
    if (bins_.empty()) throw Error("'bins' is empty; give at least one size, as in [4]");
  }

  Layout bind(const Layout& input) override {
    if (input.kind != LayoutKind::image)
      throw Error("sift_at_points needs images, not a " + describe(input) +
                  "; connect it to a source of images");
    if (input.height < 4 || input.width < 4)
      throw Error("sift_at_points needs images of at least 4x4 pixels, not an " + describe(input));
    input_ = input;
    places_.clear();
    for (std::size_t p = 0; p < x_.size(); ++p)
      places_.push_back({x_[p] * double(input.width - 1), y_[p] * double(input.height - 1)});
    return Layout::grid(x_.size(), bins_.size(), sift_values);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    std::vector<float> grey;
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      const auto image = grey_plane(input_, in.row(i), grey);
      if (!all_finite(image)) {
        std::ranges::fill(out.row_span(i), std::numeric_limits<float>::quiet_NaN());
        continue;
      }
      describe_points(image.data(), input_.height, input_.width, places_, bins_, smoothing_,
                      out.row_span(i));
    }
  }

  static Declaration<SiftAtPoints> declare() {
    return Declaration<SiftAtPoints>("feature/sift_at_points",
                                     "SIFT descriptors at given points of the image")
        .parameter("x", &SiftAtPoints::x_,
                   "horizontal position of each point, 0: the first column of pixels, 1: the last",
                   at_least(0), at_most(1))
        .parameter("y", &SiftAtPoints::y_,
                   "vertical position of each point, 0: the first row, 1: the last", at_least(0),
                   at_most(1))
        .parameter("bins", &SiftAtPoints::bins_,
                   "side length of a bin, one per scale; a descriptor covers 4x4 bins",
                   at_least(0.5), at_most(1024), unit("pixels"))
        .parameter("smoothing", &SiftAtPoints::smoothing_,
                   "standard deviation, in bins, of the Gaussian that smooths the image first",
                   at_least(0), at_most(4))
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid)
        .documentation(
            "One row of cells per point and one cell of 128 values per scale: 9 points and 3 "
            "scales give 3456 values. Descriptors are upright; anything outside the image is "
            "ignored. The default points are where the corners of eyes and mouth and three points "
            "of the nose lie on average in the faces of LFW-a, cut to columns 72-183 and rows "
            "48-199; no landmarks are detected in individual faces. Channels are averaged. "
            "Computed by VLFeat.")
        .reference(
            "Guillaumin, Verbeek, Schmid, Is that you? Metric learning approaches for face "
            "identification, ICCV 2009; pairwise SVM, section 6.3")
        .complexity("time: the gradients of each scale, and (7 bins)^2 pixels per point and scale")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_at_points, from: glyphs}
        svm:    {is: solver/linear_svm, from: sift}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  // Outer and inner corner of the left eye of the picture, inner and outer one of the right eye,
  // nostril, tip and nostril of the nose, corners of the mouth.
  std::vector<double> x_ = {0.18, 0.405, 0.56, 0.79, 0.38, 0.486, 0.585, 0.306, 0.676};
  std::vector<double> y_ = {0.43, 0.424, 0.424, 0.43, 0.629, 0.603, 0.629, 0.742, 0.742};
  std::vector<double> bins_ = {4, 6, 8};
  double smoothing_ = 1.0 / 6;
  Layout input_;
  std::vector<SiftPoint> places_;
};

}  // namespace

ComponentEntry declare_sift_at_points() { return SiftAtPoints::declare().entry(); }

}  // namespace semblance::features
