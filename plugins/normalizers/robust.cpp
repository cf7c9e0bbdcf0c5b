// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// Subtracts each column's training median and divides by a spread that few far values do not
/// widen.
class Robust final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<Robust> declare();
};

/// A quantile of sorted values, by linear interpolation between two of them.
double quantile(const std::vector<float>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(low);
  return double{sorted[low]} * (1 - share) + double{sorted[high]} * share;
}

void Robust::fit(const TrainingSet& training, Context& context) {
  // The width of the middle half of a normal distribution, in deviations.
  constexpr double normal_width = 1.3489795;
  constexpr std::size_t at_once = 16;
  const Rows& rows = training.rows;
  const auto means = column_means(rows, context);
  const auto deviations = column_deviations(rows, means, context);
  std::vector<double> medians(means.size()), scale(means.size(), 1.0);
  context.parallel_for((means.size() + at_once - 1) / at_once, [&](std::size_t group) {
    const std::size_t first = group * at_once, count = std::min(at_once, means.size() - first);
    std::vector<std::vector<float>> columns(count);
    for (std::size_t row = 0; row < rows.rows(); row += block_rows) {
      context.check_stop();
      const MatrixView block = rows.view(row, std::min(block_rows, rows.rows() - row));
      for (std::size_t i = 0; i < block.rows; ++i)
        for (std::size_t c = 0; c < count; ++c) columns[c].push_back(block.row(i)[first + c]);
    }
    for (std::size_t c = 0; c < count; ++c) {
      std::ranges::sort(columns[c]);
      medians[first + c] = quantile(columns[c], 0.5);
      const double width = (quantile(columns[c], 0.75) - quantile(columns[c], 0.25)) / normal_width,
                   deviation = deviations[first + c];
      // A constant column's deviation is rounding of double: it must not be blown up to one.
      if (deviation > 1e-13 * std::abs(means[first + c]))
        scale[first + c] = inverse_spread(width > 0 ? std::min(width, deviation) : deviation);
    }
  });
  set(medians, scale);
}

Declaration<Robust> Robust::declare() {
  return Declaration<Robust>("normalizer/robust",
                             "Scales each column by its median and the spread of its middle half")
      .documentation(
          "The median of the training rows is subtracted. What is left is divided by the smaller "
          "of the standard deviation and the width of the middle half of the values (from the "
          "quartile .25 to .75, interpolated) divided by 1.349, which is the standard deviation of "
          "normally distributed values; by the standard deviation if the middle half is a single "
          "value. So a few far values neither move nor shrink the others, as they do with "
          "normalizer/zscore; columns of few different values, such as pixels, may come to "
          "outweigh "
          "the others. A column that is constant in training keeps the scale 1, so it becomes 0 "
          "there.")
      .reference(
          "Silverman, Density estimation, 1986, equation (3.30): the smaller of both spreads")
      .complexity("fit: n log n per column for n training rows; apply: one pass")
      .inexpensive()
      .keeps_columns()
      .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/robust, from: points}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_robust() { return Robust::declare().entry(); }

}  // namespace semblance::normalizers
