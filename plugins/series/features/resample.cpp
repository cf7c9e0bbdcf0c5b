// SPDX-License-Identifier: MIT
#include <algorithm>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// Series with another number of steps.
class Resample final : public RowFeature {
 public:
  std::size_t values_of(std::size_t) const override { return steps_ * layout().depth; }

  static Declaration<Resample> declare() {
    return Declaration<Resample>("feature/resample", "Series with a different number of steps")
        .parameter("length", &Resample::length_,
                   "number of steps of each series; 0: that of the longest series", at_least(0),
                   at_most(1048576), unit("steps"))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::sequence)
        .documentation(
            "Linear interpolation: step t of m is the value at (n - 1) t / (m - 1) of a series of "
            "n steps, so that first and last steps stay. A series of one step becomes constant; "
            "with 'length: 1' only the first step remains. The longest series is that of all the "
            "source's data, and a model keeps its length. Makes series of differing length "
            "comparable where they have to be equally long.")
        .complexity("one pass over the series that is made")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        short:  {is: feature/resample, length: 40, from: series}
        x:      {is: feature/flatten, from: short}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    need_sequence(input, "resample");
    steps_ = length_ > 0 ? static_cast<std::size_t>(length_) : input.width;
    return Layout::sequence(steps_, input.depth);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t channels = layout().depth, steps = in.size() / channels;
    if (steps == 0) throw Error("the series is empty; remove it");
    for (std::size_t t = 0; t < steps_; ++t) {
      // Integer arithmetic first, so that a step that coincides with a step of the series equals
      // it.
      const std::size_t way = t * (steps - 1), ways = steps_ > 1 ? steps_ - 1 : 1;
      const std::size_t below = way / ways, above = std::min(below + 1, steps - 1);
      const double part = double(way % ways) / double(ways);
      for (std::size_t c = 0; c < channels; ++c) {
        const double low = in[below * channels + c], high = in[above * channels + c];
        out[t * channels + c] = static_cast<float>(low + part * (high - low));
      }
    }
  }

  std::int64_t length_ = 0;
  std::size_t steps_ = 0;  ///< of the series that are made
};

}  // namespace

ComponentEntry declare_resample() { return Resample::declare().entry(); }

}  // namespace semblance::series
