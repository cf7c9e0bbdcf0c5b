// SPDX-License-Identifier: MIT
#include "rocket/rocket.hpp"
#include "semblance/declaration.hpp"

namespace semblance::series {
namespace {

/// MultiRocket: four figures of dilated convolutions, of a series and of its differences.
class MultiRocket final : public Rocket {
 public:
  MultiRocket() noexcept : Rocket({"multirocket", RocketPooling::four, true}, 50000) {}

  static Declaration<MultiRocket> declare() {
    return Declaration<MultiRocket>(
               "normalizer/multirocket",
               "Four figures of dilated convolutions, of series and of their differences")
        .parameter("features", &MultiRocket::features_,
                   "about how many columns to make: the largest multiple of 672 in it",
                   at_least(672), at_most(1048576))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::vector)
        .documentation(
            "The kernels, dilations and biases of normalizer/minirocket, learned once for the "
            "series and once for their first differences x(t+1) - x(t). For each bias b there are "
            "four figures, where z = sum - b at each of the n steps that the kernel takes: PPV, "
            "the share of steps with z > 0; MPV, the mean of z over those steps, or 0; MIPV, their "
            "mean position (from 0 at the first step taken), or -1 where there are none; LSPV, the "
            "steps of the longest run of them. Columns: all PPV, MPV, MIPV and LSPV of the series, "
            "then those of the differences, each by dilation, kernel and bias.\n\n"
            "The authors' program takes the mean of sum + b instead of MPV, and counts one step "
            "more for a run that follows a step with z < 0.\n\n"
            "Series that differ in length are each taken at their own length, and need 2 steps "
            "(65,535 at most); the longest training series needs 10. Normalize each series first "
            "(feature/znorm). Columns differ widely in scale: normalizer/zscore, then "
            "normalizer/mean_norm belong before a linear machine.")
        .reference(
            "Tan, Dempster, Bergmeir and Webb: MultiRocket: multiple pooling operators and "
            "transformations for fast and effective time series classification (Data Mining and "
            "Knowledge Discovery 2022)")
        .complexity(
            "apply: 1.5 x steps x features operations, 16 series at a time with AVX-512, 8 with "
            "AVX2; fit: 168 x dilations sorted series")
        .random()
        .gone({.written = "normalizer/quant",
               .since = "1.0",
               .advice = "normalizer/multirocket, hydra and rdst together err less; see "
                         "pipelines/series/best.yaml"})
        .example(R"(
        series: {is: source/warped_series}
        x:      {is: feature/znorm, from: series}
        maps:   {is: normalizer/multirocket, features: 2688, from: x}
        scaled: {is: normalizer/zscore, from: maps}
        unit:   {is: normalizer/mean_norm, from: scaled}
        svm:    {is: solver/linear_svm, C: 10, from: unit}
        test:   {is: evaluator/classification, from: svm})");
  }
};

}  // namespace

ComponentEntry declare_multirocket() { return MultiRocket::declare().entry(); }

}  // namespace semblance::series
