// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// The moving average of a series.
class Smooth final : public RowFeature {
 public:
  static Declaration<Smooth> declare() {
    return Declaration<Smooth>("feature/smooth", "The moving average of a series")
        .parameter("window", &Smooth::window_,
                   "number of steps averaged around each one; of an even number, one more follows "
                   "the step than precedes it",
                   at_least(1), at_most(1048576), unit("steps"))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::sequence)
        .documentation(
            "Each channel on its own. Near the ends only the steps that exist are averaged, so a "
            "series keeps its length, and a constant one stays as it is.")
        .complexity("two passes over a series, whatever the window")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        even:   {is: feature/smooth, window: 3, from: series}
        maps:   {is: normalizer/minirocket, from: even}
        svm:    {is: solver/linear_svm, from: maps}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    need_sequence(input, "smooth");
    return input;
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t channels = layout().depth, steps = in.size() / channels;
    const auto window = static_cast<std::size_t>(window_);
    const std::size_t before = (window - 1) / 2, after = window / 2;
    std::vector<double> sums(steps + 1, 0.0);  // of the steps before each
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t t = 0; t < steps; ++t) sums[t + 1] = sums[t] + in[t * channels + c];
      for (std::size_t t = 0; t < steps; ++t) {
        const std::size_t first = t - std::min(t, before), end = std::min(t + after + 1, steps);
        out[t * channels + c] = static_cast<float>((sums[end] - sums[first]) / double(end - first));
      }
    }
  }

  std::int64_t window_ = 5;
};

}  // namespace

ComponentEntry declare_smooth() { return Smooth::declare().entry(); }

}  // namespace semblance::series
