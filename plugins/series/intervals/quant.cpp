// SPDX-License-Identifier: MIT
#include <string>

#include "intervals/quant_intervals.hpp"
#include "rocket/minirocket_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

/// QUANT: quantiles of intervals of series, their differences and their spectrum.
class Quant final : public Normalizer {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  static Declaration<Quant> declare();

 private:
  std::int64_t depth_ = 6;
  std::int64_t divisor_ = 4;
  std::size_t steps_ = 0;
  std::size_t channels_ = 1;
  QuantFeatures features_;
};

Layout Quant::bind(const Layout& input) {
  check_rocket_layout(input, "quant", quant_needed_steps);
  steps_ = input.width;
  channels_ = input.depth;
  features_ = QuantFeatures(steps_, channels_, static_cast<std::size_t>(depth_),
                            static_cast<std::size_t>(divisor_));
  return Layout::vector(features_.columns());
}

// Nothing is learned, but training samples are checked before anything is computed from them.
void Quant::fit(const TrainingSet& training, Context& context) {
  rocket_training(training, channels_, 1, 1, context);
}

void Quant::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_rocket_output(in, out, features_.columns());
  features_(rocket_series(in, channels_, 1, 0, RowError::Of::block), out,
            [&] { context.check_stop(); });
}

void Quant::save(StateWriter& state) const {
  state.integer("steps", static_cast<std::int64_t>(steps_));
}

void Quant::load(const StateReader& state, Context&) {
  const std::int64_t steps = state.integer("steps");
  if (steps != static_cast<std::int64_t>(steps_))
    throw Error("the saved intervals are those of series of " + std::to_string(steps) +
                " steps, but the layout has " + std::to_string(steps_) + "; train the model again");
}

Declaration<Quant> Quant::declare() {
  return Declaration<Quant>("normalizer/quant",
                            "Quantiles of intervals of series, their differences and spectrum")
      .parameter("depth", &Quant::depth_, "levels of intervals, of 1, 2, 4, ... parts", at_least(1),
                 at_most(12))
      .parameter("divisor", &Quant::divisor_,
                 "values of an interval for each quantile that is taken of it", at_least(1),
                 at_most(65535))
      .accepts({LayoutKind::sequence})
      .gives(LayoutKind::vector)
      .documentation(
          "Takes quantiles of four views of a series x: x itself; its differences x(t+1) - x(t), "
          "smoothed by the mean of 5 (the first and the last one repeated twice beyond the ends); "
          "its second differences; the magnitudes of its Fourier transform. A view of n values is "
          "divided into 1, 2, 4, ... intervals, floor(n i / parts) to floor(n (i + 1) / parts), at "
          "min(depth, floor(log2 n) + 1) levels. All but the last interval of a level are taken a "
          "second time, shifted by ceil(n / (2 parts)), if more than half of its intervals have "
          "several values. An interval of m values gives 1 + floor((m - 1) / divisor) quantiles, "
          "at levels from 0 to 1 by linear interpolation, or its median if that is one. The "
          "interval's mean is subtracted from the second, fourth, ... quantile. Columns are "
          "ordered "
          "by view, level (shifted intervals after the others), interval, channel and quantile.\n\n"
          "Nothing is random and nothing is learned; labels are not used. Intervals and numbers of "
          "quantiles are those of the longest series of the source's data, and a model keeps them. "
          "A series of another length is divided at the same fractions of its own length, an "
          "extension of the paper, whose series are equally long; an interval has at least one "
          "value, and differences that a series of 1 or 2 steps does not have are 0. The longest "
          "series "
          "needs 3 steps; 65,535 are the most. Fourier magnitudes below 1e-14 of the "
          "sum of absolute values are rounding, and become 0.\n\n"
          "The authors normalize no series and classify by extremely randomized trees (200 trees, "
          "a "
          "tenth of the columns at each split, entropy), which Semblance does not have. Before a "
          "linear machine put normalizer/zscore, then normalizer/mean_norm; docs/series.md has the "
          "errors of both.")
      .reference(
          "Dempster, Schmidt and Webb: QUANT: a minimalist interval method for time series "
          "classification (Data Mining and Knowledge Discovery 2024); several channels as in its "
          "authors' program for AALTD 2024")
      .complexity(
          "about 10 x steps columns per channel; apply: n log n to sort each view, then "
          "one pass over it per level")
      .example(R"(
        series: {is: source/warped_series}
        maps:   {is: normalizer/quant, from: series}
        scaled: {is: normalizer/zscore, from: maps}
        unit:   {is: normalizer/mean_norm, from: scaled}
        svm:    {is: solver/linear_svm, C: 10, from: unit}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_quant() { return Quant::declare().entry(); }

}  // namespace semblance::series
