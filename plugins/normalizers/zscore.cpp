// SPDX-License-Identifier: MIT
#include "zscore.hpp"

#include <cmath>

#include "block_statistics.hpp"

namespace semblance {

void ZScore::fit(const TrainingSet& training, Context& context) {
  const auto means = column_means(training.rows, context);
  std::vector<double> scale(means.size(), 1.0);
  if (scale_columns_) {
    const auto deviations = column_deviations(training.rows, means, context);
    for (std::size_t c = 0; c < scale.size(); ++c) {
      // A constant column's deviation is rounding: it must not be blown up to one.
      const double rounding = 1e-7 * std::abs(means[c]);
      if (deviations[c] > rounding) scale[c] = inverse_spread(deviations[c]);
    }
  }
  set(center_ ? means : std::vector<double>(means.size(), 0.0), scale);
}

void ZScore::check_keeps_zeros() const {
  if (center_)
    throw Error(
        "'center: true' would make sparse vectors dense; set 'center: false', or put feature/dense "
        "before it");
}

Declaration<ZScore> ZScore::declare() {
  return Declaration<ZScore>("normalizer/zscore",
                             "Scales each column to mean 0 and standard deviation 1")
      .parameter("center", &ZScore::center_, "subtract the mean of the training rows")
      .parameter("scale", &ZScore::scale_columns_,
                 "divide by the standard deviation of the training rows")
      .documentation(
          "Standard deviations are those of the training rows, divided by n. A column that is "
          "constant in training keeps the scale 1, so it becomes 0 there. Sparse vectors take "
          "'center: false', which leaves zeros as they are.")
      .reference("BE-SVM, section 3.6 and Fig. 5: Z-Score")
      .complexity("fit: two passes over the training rows; apply: one")
      .inexpensive()
      .keeps_columns()
      .distributed()
      .accepts_sparse()
      .accepts_sparse_unless("center", "true")
      .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/zscore, from: points}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
