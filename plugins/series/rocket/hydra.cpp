// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "rocket/hydra_counts.hpp"
#include "rocket/hydra_scale.hpp"
#include "rocket/minirocket_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

constexpr std::size_t least_steps = 2;

/// Hydra: how often, and how strongly, each kernel responds most and least in its group.
class Hydra final : public Normalizer {
 public:
  Layout bind(const Layout& input) override {
    check_rocket_layout(input, "hydra", hydra_taps);
    steps_ = input.width;
    channels_ = input.depth;
    return Layout::vector(unlearned().columns());
  }

  void fit(const TrainingSet& training, Context& context) override {
    const Rows& rows = training.rows;
    rocket_training(training, channels_, least_steps, least_steps, context);
    HydraBank bank = unlearned();
    Random random = context.random();
    draw_hydra_weights(bank, random);
    if (scaled_)
      scale_ = learn_hydra_scale(
          rows.rows(), bank.columns(), context, [&](std::size_t first, std::size_t count) {
            FloatMatrix counts(count, bank.columns());
            const auto series = bounded_rocket_series(rows.view(first, count), channels_,
                                                      least_steps, first, RowError::Of::training);
            count_winners(bank, series, counts.view(), [&] { context.check_stop(); });
            rows.release(first, count);
            return counts;
          });
    bank_ = std::move(bank);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    check_rocket_output(in, out, bank_.columns());
    count_winners(bank_, bounded_rocket_series(in, channels_, least_steps, 0, RowError::Of::block),
                  out, [&] { context.check_stop(); });
    if (!scaled_) return;
    for (std::size_t i = 0; i < out.rows; ++i) scale_(out.row_span(i));
  }

  void save(StateWriter& state) const override {
    const std::size_t count = bank_.weights.size();
    state.floats("weights", {bank_.weights.data(), 1, count, count});
    state.integers("channels", std::vector<std::int64_t>(bank_.channel_choices.begin(),
                                                         bank_.channel_choices.end()));
    if (!scaled_) return;
    state.doubles("means", scale_.means);
    state.doubles("divisors", scale_.divisors);
  }

  void load(const StateReader& state, Context&) override {
    const auto damaged = [](const std::string& what) {
      throw Error("the saved kernels are damaged: " + what + "; train the model again");
    };
    bank_ = unlearned();
    const std::size_t weights = bank_.group_count() * hydra_taps * hydra_kernels;
    bank_.weights = state.floats("weights").values;
    if (bank_.weights.size() != weights)
      damaged("there are " + std::to_string(bank_.weights.size()) + " weights instead of " +
              std::to_string(weights));
    const auto channels = state.integers("channels");
    if (channels.size() != bank_.group_count() * bank_.channels_each ||
        std::any_of(channels.begin(), channels.end(), [&](std::int64_t c) {
          return c < 0 || c >= static_cast<std::int64_t>(bank_.channels);
        }))
      damaged("they are not those of " + std::to_string(bank_.channels) + " channels");
    bank_.channel_choices.assign(channels.begin(), channels.end());
    if (!scaled_) return;
    scale_ = {state.doubles("means"), state.doubles("divisors")};
    if (scale_.means.size() != bank_.columns() || scale_.divisors.size() != bank_.columns())
      damaged("there are " + std::to_string(scale_.means.size()) + " means and " +
              std::to_string(scale_.divisors.size()) + " divisors for " +
              std::to_string(bank_.columns()) + " columns");
  }

  static Declaration<Hydra> declare() {
    return Declaration<Hydra>("normalizer/hydra",
                              "Counts of series' best and worst matches among random kernels")
        .parameter(
            "groups", &Hydra::groups_,
            "groups of 8 kernels per dilation, for the series and as many for its differences",
            at_least(1), at_most(1024))
        .parameter("scale", &Hydra::scaled_,
                   "take square roots and scale columns by the training samples; false: counts as "
                   "they are")
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::vector)
        .documentation(
            "Random kernels of length 9 compete in groups of 8. A kernel's weights are normally "
            "distributed, minus their mean, divided by the sum of their absolute values; each "
            "dilation 1, 2, 4, ... up to (n - 1) / 8 has groups of its own for the series and for "
            "its differences x(t+1) - x(t). n is the length of the longest series of the source's "
            "data, and a model keeps it. Zeros lie around the series. A kernel has two figures: "
            "the sum of its responses at the steps where it has the largest of its group, and the "
            "number of steps where it has the smallest; ties go to the first kernel. The paper's "
            "64 groups are 32 for each here. Columns: by dilation, series before differences, sums "
            "before counts, group and kernel.\n\n"
            "With several channels a group takes the sum of some of them, drawn with replacement: "
            "half as many as there are, but at least 2 and at most 8. The seed decides what is "
            "drawn; labels are not used.\n\n"
            "With 'scale', a column x becomes (r - m) / (s + z^4 + 1e-8) where r = sqrt(max(x, 0)) "
            "is positive, and 0 elsewhere; m, s and z are mean, standard deviation (divided by n - "
            "1) and share of zeros of r in training. This is the authors' sparse scaler, but a "
            "column that is constant in training is not divided, instead of by 1e-8. Put "
            "normalizer/mean_norm before a linear machine.\n\n"
            "Series that differ in length are each taken at their own length, and need 2 steps "
            "(65,535 at most); the longest one needs 9. The paper takes series as they are; its "
            "data are mostly normalized (feature/znorm). Values beyond 1e30 are refused.")
        .reference(
            "Dempster, Schmidt and Webb: Hydra: competing convolutional kernels for fast and "
            "accurate time series classification (Data Mining and Knowledge Discovery 2023); "
            "channels as in its authors' multivariate variant, scaling as in their program")
        .complexity(
            "32 x groups x log2(steps / 4) columns; apply: 9 multiply-adds per kernel and step, 16 "
            "series at a time with AVX-512, 8 with AVX2; fit: the same for the training samples")
        .random()
        .example(R"(
        series: {is: source/warped_series}
        x:      {is: feature/znorm, from: series}
        maps:   {is: normalizer/hydra, groups: 8, from: x}
        unit:   {is: normalizer/mean_norm, from: maps}
        svm:    {is: solver/linear_svm, C: 10, from: unit}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  /// The bank of the bound layout, without weights.
  HydraBank unlearned() const {
    return hydra_layout(steps_, channels_, static_cast<std::size_t>(groups_));
  }

  std::int64_t groups_ = 32;
  bool scaled_ = true;
  std::size_t steps_ = 0;
  std::size_t channels_ = 1;
  HydraBank bank_;
  HydraScale scale_;
};

// enough for one difference

}  // namespace

ComponentEntry declare_hydra() { return Hydra::declare().entry(); }

}  // namespace semblance::series
