// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// The slope of a series at each step.
class Derivative final : public RowFeature {
 public:
  std::size_t values_of(std::size_t values) const override {
    if (ends_ == "repeat") return values;
    return values - std::min(values, 2 * layout().depth);
  }

  static Declaration<Derivative> declare() {
    return Declaration<Derivative>("feature/derivative", "The slope of a series at each step")
        .parameter("ends", &Derivative::ends_,
                   "the first and the last step, which have one neighbour only; repeat: they get "
                   "the slope of the step beside them; drop: they are removed",
                   choices({"repeat", "drop"}))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::sequence)
        .documentation(
            "d(t) = ((x(t) - x(t-1)) + (x(t+1) - x(t-1)) / 2) / 2 for every channel. An elastic "
            "measure on derivatives is its derivative form: similarity/dtw after this feature is "
            "derivative dynamic time warping. Series of fewer than 3 steps are refused. Normalize "
            "series before, not after.")
        .reference("Keogh and Pazzani: Derivative dynamic time warping (SDM 2001), section 3")
        .complexity("one pass over a series")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        slopes: {is: feature/derivative, from: series}
        maps:   {is: normalizer/minirocket, from: slopes}
        svm:    {is: solver/linear_svm, from: maps}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    need_sequence(input, "derivative");
    if (input.width < 3)
      throw Error("derivative needs series of at least 3 steps, but each is a " + describe(input) +
                  "; take longer series");
    return ends_ == "repeat" ? input : Layout::sequence(input.width - 2, input.depth);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t channels = layout().depth, steps = in.size() / channels;
    if (steps < 3)
      throw Error("the series has " + std::to_string(steps) + (steps == 1 ? " step" : " steps") +
                  ", but a derivative needs at least 3; remove it, or lengthen series with "
                  "feature/resample");
    float* to = out.data() + (ends_ == "repeat" ? channels : 0);
    for (std::size_t i = channels; i + channels < in.size(); ++i, ++to) {
      const double before = in[i - channels], after = in[i + channels];
      *to = static_cast<float>(((in[i] - before) + (after - before) / 2) / 2);
    }
    if (ends_ == "drop") return;
    std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(channels), channels, out.begin());
    std::copy_n(out.end() - static_cast<std::ptrdiff_t>(2 * channels), channels,
                out.end() - static_cast<std::ptrdiff_t>(channels));
  }

  std::string ends_ = "repeat";
};

}  // namespace

ComponentEntry declare_derivative() { return Derivative::declare().entry(); }

}  // namespace semblance::series
