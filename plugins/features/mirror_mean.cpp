// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/feature.hpp"

namespace semblance::features {
namespace {

/// All channels of an image, each of its rows of pixels backwards.
void mirror(std::span<const float> image, std::size_t width, float* out) {
  for (std::size_t first = 0; first < image.size(); first += width)
    std::reverse_copy(&image[first], image.data() + first + width, out + first);
}

/// The mean of a feature over each image and its mirror image.
class MirrorMean final : public Feature {
 public:
  Layout bind(const Layout& input) override {
    if (input.kind != LayoutKind::image)
      throw Error("mirror_mean needs images, not a " + describe(input) +
                  "; connect it to a source of images");
    input_ = input;
    Layout output = feature_->bind(input);
    if (output.kind != LayoutKind::vector && output.kind != LayoutKind::grid &&
        output.kind != LayoutKind::image)
      throw Error("mirror_mean cannot average a " + describe(output) +
                  "; use a feature that gives each image equally many values");
    return output;
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    constexpr std::size_t step = 16;  // the mirror images and their descriptions stay in cache
    FloatMatrix mirrored(step, in.cols), described(step, out.cols);
    for (std::size_t first = 0; first < in.rows; first += step) {
      const std::size_t count = std::min(step, in.rows - first);
      const MatrixView images = in.rows_range(first, count);
      const MutableMatrixView means = out.rows_range(first, count);
      for (std::size_t i = 0; i < count; ++i)
        mirror(images.row_span(i), input_.width, mirrored.view().row(i));
      feature_->apply(images, means, context);
      feature_->apply(mirrored.view().rows_range(0, count), described.view().rows_range(0, count),
                      context);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < out.cols; ++c)
          means.row(i)[c] = (means.row(i)[c] + described.view().row(i)[c]) / 2;
    }
  }

  static Declaration<MirrorMean> declare() {
    return Declaration<MirrorMean>("feature/mirror_mean",
                                   "Mean of a feature over each image and its mirror image")
        .parameter("feature", &MirrorMean::feature_, "the feature that describes both",
                   default_component("feature/hog"))
        .accepts({LayoutKind::image})
        .documentation(
            "Makes a description blind to left and right, as for faces that look one way or the "
            "other: an image and its mirror image get the same values. Mirrored at the image's own "
            "vertical axis: where faces are not in the middle, cut the image with feature/crop "
            "first.")
        .complexity("twice the feature")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/mirror_mean, feature: {is: feature/hog, cell: 4}, from: glyphs}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::unique_ptr<Feature> feature_;
  Layout input_;
};

}  // namespace

ComponentEntry declare_mirror_mean() { return MirrorMean::declare().entry(); }

}  // namespace semblance::features
