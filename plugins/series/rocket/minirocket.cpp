// SPDX-License-Identifier: MIT
#include "rocket/rocket.hpp"
#include "semblance/declaration.hpp"

namespace semblance::series {
namespace {

/// MiniRocket: the share of positive values after dilated convolutions.
class MiniRocket final : public Rocket {
 public:
  MiniRocket() noexcept : Rocket({"minirocket", RocketPooling::proportion, false}, 10000) {}

  static Declaration<MiniRocket> declare() {
    return Declaration<MiniRocket>("normalizer/minirocket",
                                   "Share of positive values of series after dilated convolutions")
        .parameter("features", &MiniRocket::features_,
                   "about how many columns to make: the largest multiple of 84 in it", at_least(84),
                   at_most(1048576))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::vector)
        .documentation(
            "84 fixed kernels of length 9 (three weights 2, six weights -1), each at up to 32 "
            "dilations d from 1 to (n - 1) / 8, n being the length of the longest training series. "
            "Zeros lie around the series; every second combination of kernel and dilation takes "
            "only the steps where the whole kernel lies inside. A column is the share of steps "
            "whose sum is greater than a bias. Biases are learned: quantiles, at the levels of a "
            "low-discrepancy sequence, of the sums of a training series that is drawn for each "
            "combination. With several channels a combination adds up a subset of them, 1 to 9, "
            "that is drawn too. The seed decides what is drawn; labels are not used.\n\n"
            "Series that differ in length are each taken at their own length; where a short one "
            "has no step at which the kernel lies inside, the share is 0. Series of fewer than 9 "
            "steps are possible as long as the longest training series has 9; 65,535 are the most. "
            "Normalize each series first (feature/znorm). Columns have values from 0 to 1: put "
            "normalizer/zscore, then normalizer/mean_norm before a linear machine.")
        .reference(
            "Dempster, Schmidt and Webb: MiniRocket: a very fast (almost) deterministic transform "
            "for time series classification (KDD 2021); channel subsets as in its authors' "
            "multivariate variant")
        .complexity(
            "apply: steps x features comparisons and additions, 16 series at a time with AVX-512, "
            "8 with AVX2; fit: 84 x dilations sorted series")
        .random()
        .example(R"(
        series: {is: source/warped_series}
        x:      {is: feature/znorm, from: series}
        maps:   {is: normalizer/minirocket, features: 1000, from: x}
        scaled: {is: normalizer/zscore, from: maps}
        unit:   {is: normalizer/mean_norm, from: scaled}
        svm:    {is: solver/linear_svm, C: 10, from: unit}
        test:   {is: evaluator/classification, from: svm})");
  }
};

}  // namespace

ComponentEntry declare_minirocket() { return MiniRocket::declare().entry(); }

}  // namespace semblance::series
