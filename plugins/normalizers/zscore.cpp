// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// Subtracts each column's training mean and divides by its standard deviation.
class ZScore final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<ZScore> declare();

 protected:
  void check_keeps_zeros() const override;

 private:
  bool center_ = true;
  bool scale_columns_ = true;
};

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

/// Warns of columns that vary only within the rounding of their values: they may be meant to be
/// constant, or may have lost their differences to float32.
void warn_of_close_values(const OccurringColumns& columns, std::span<const double> means,
                          std::span<const double> deviations, Context& context) {
  constexpr double rounding = 1e-7;
  std::size_t first = means.size(), count = 0;
  for (std::size_t c = 0; c < means.size(); ++c) {
    const double size = std::abs(means[c]);
    if (!(deviations[c] > 1e-13 * size && deviations[c] < rounding * size)) continue;
    first = std::min(first, c);
    ++count;
  }
  if (count == 0) return;
  context.log(
      LogLevel::warning,
      "column " + std::to_string(columns.column(first)) +
          (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
          " (counted from 0) hardly varies: around " + short_text(means[first]) +
          " its deviation is " + short_text(deviations[first]) +
          ", as little as rounding to float32 makes; it is scaled to 1 all the same. Remove "
          "the column if it should be constant, else subtract a constant from it first");
}

void ZScore::fit(const TrainingSet& training, Context& context) {
  auto columns = OccurringColumns::of(training, context);
  const auto means = column_means(training.rows, columns, context);
  std::vector<double> scale(means.size(), 1.0);
  if (scale_columns_) {
    const auto deviations = column_deviations(training.rows, columns, means, context);
    for (std::size_t c = 0; c < scale.size(); ++c) {
      // A constant column's deviation is rounding of double: it must not be blown up to one.
      if (deviations[c] > 1e-13 * std::abs(means[c])) scale[c] = inverse_spread(deviations[c]);
    }
    warn_of_close_values(columns, means, deviations, context);
  }
  set(std::move(columns), center_ ? means : std::vector<double>(means.size(), 0.0), scale);
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
          "constant in training keeps the scale 1, so it becomes 0 there. One that varies by less "
          "than 1e-7 of its mean is scaled, with a warning: that is all that float32 can hold. "
          "Sparse vectors take "
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

}  // namespace

ComponentEntry declare_zscore() { return ZScore::declare().entry(); }

}  // namespace semblance::normalizers
