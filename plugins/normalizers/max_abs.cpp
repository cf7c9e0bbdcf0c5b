// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// Divides each column by its largest absolute value in training.
class MaxAbs final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MaxAbs> declare();
};

void MaxAbs::fit(const TrainingSet& training, Context& context) {
  auto columns = OccurringColumns::of(training, context);
  const ColumnRange range = column_ranges(training.rows, columns, context);
  std::vector<double> scale(range.low.size(), 1.0);
  for (std::size_t c = 0; c < scale.size(); ++c)
    scale[c] = inverse_spread(std::max(std::abs(range.low[c]), std::abs(range.high[c])));
  set(std::move(columns), std::vector<double>(scale.size(), 0.0), scale);
}

Declaration<MaxAbs> MaxAbs::declare() {
  return Declaration<MaxAbs>("normalizer/max_abs",
                             "Divides each column by its largest absolute value")
      .documentation(
          "Training values then lie in [-1, 1], and zeros stay zeros: sparse vectors stay sparse. "
          "A "
          "column of zeros keeps the scale 1. Larger values in other rows are not clipped.")
      .complexity("fit and apply: one pass each")
      .inexpensive()
      .distributed()
      .accepts_sparse()
      .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/max_abs, from: points}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_max_abs() { return MaxAbs::declare().entry(); }

}  // namespace semblance::normalizers
