// SPDX-License-Identifier: MIT

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/declaration.hpp"

namespace semblance::normalizers {
namespace {

/// Maps each column's training range to [low, high].
class MinMax final : public AffineNormalizer {
 public:
  void check_parameters() const override;
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MinMax> declare();

 private:
  float shift() const override { return static_cast<float>(low_); }

  double low_ = 0;
  double high_ = 1;
};

void MinMax::check_parameters() const {
  if (!(low_ < high_)) throw Error("'low' must be smaller than 'high'");
}

void MinMax::fit(const TrainingSet& training, Context& context) {
  const ColumnRange range = column_ranges(training.rows, context);
  std::vector<double> scale(range.low.size(), 1.0);
  for (std::size_t c = 0; c < scale.size(); ++c)
    if (range.high[c] > range.low[c])
      scale[c] = inverse_spread((range.high[c] - range.low[c]) / (high_ - low_));
  set(range.low, scale);
}

Declaration<MinMax> MinMax::declare() {
  return Declaration<MinMax>("normalizer/min_max", "Maps each column's range to a given interval")
      .parameter("low", &MinMax::low_, "value that the smallest training value maps to")
      .parameter("high", &MinMax::high_, "value that the largest training value maps to")
      .documentation(
          "Values outside the training range fall outside the interval; they are not clipped. A "
          "column that is constant in training maps to `low` and keeps the scale 1.")
      .complexity("fit and apply: one pass each")
      .inexpensive()
      .keeps_columns()
      .distributed()
      .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/min_max, from: points}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_min_max() { return MinMax::declare().entry(); }

}  // namespace semblance::normalizers
