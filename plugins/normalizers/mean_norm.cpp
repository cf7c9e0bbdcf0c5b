// SPDX-License-Identifier: MIT

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// BE-SVM's normalization, eq. (4): the training mean is subtracted, then everything is divided by
/// the mean l2 norm of the centred training samples. One scale for all columns, which `length` may
/// multiply.
class MeanNorm final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MeanNorm> declare();

 private:
  double length_ = 1;
};

void MeanNorm::fit(const TrainingSet& training, Context& context) {
  const auto means = column_means(training.rows, context);
  const double norm = mean_centred_norm(training.rows, means, context);
  const std::vector<double> scale(means.size(), length_ * inverse_spread(norm));
  set(means, scale);
}

Declaration<MeanNorm> MeanNorm::declare() {
  return Declaration<MeanNorm>("normalizer/mean_norm",
                               "Subtracts the mean and divides by the mean norm of centred rows")
      .parameter("length", &MeanNorm::length_,
                 "mean norm of the centred training rows afterwards: with several inputs, how much "
                 "each of these counts beside others",
                 above(0))
      .documentation(
          "phi(x) = length (x - m) / E|x - m|, where m is the mean of the training rows and E|x - "
          "m| the "
          "mean (not the root mean square) of the l2 norms of the centred training rows. Columns "
          "keep their relative scale, so several similarity maps become comparable before they are "
          "concatenated. If all training rows are equal, the scale is 1.")
      .reference("BE-SVM, section 2.3, eq. (4)")
      .complexity("fit: two passes over the training rows; apply: one")
      .inexpensive()
      .keeps_columns()
      .distributed()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_mean_norm() { return MeanNorm::declare().entry(); }

}  // namespace semblance::normalizers
