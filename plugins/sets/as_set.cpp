// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::sets {
namespace {

/// The steps of a series as points.
class AsSet final : public RowFeature {
 public:
  static Declaration<AsSet> declare() {
    return Declaration<AsSet>("feature/as_set", "The steps of a series as the points of a set")
        .parameter("time", &AsSet::time_,
                   "weight of the time as a further coordinate, which comes first and goes from 0 "
                   "to this over the series; 0: omitted",
                   at_least(0), at_most(1e6))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::set)
        .documentation(
            "A point's coordinates are the step's channels. Without the time, measures of sets see "
            "which values a series has, not when. A series of one step is at time 0.")
        .reference("Rubner, Tomasi & Guibas 2000, section 2: signatures")
        .complexity("one copy")
        .example(R"(
        series: {is: source/warped_series}
        sets:   {is: feature/as_set, time: 1, from: series}
        bases:  {is: basis/random, count: 40, from: sets}
        near:   {is: similarity/chamfer, from: sets, bases: bases}
        svm:    {is: solver/linear_svm, from: near}
        test:   {is: evaluator/classification, from: svm})");
  }

  std::size_t values_of(std::size_t values) const override {
    return values / channels_ * (channels_ + (time_ > 0 ? 1 : 0));
  }

 private:
  Layout prepare(const Layout& input) override {
    channels_ = input.depth;
    return Layout::set(input.width, input.depth + (time_ > 0 ? 1 : 0));
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t steps = in.size() / channels_;
    auto to = out.begin();
    for (std::size_t k = 0; k < steps; ++k) {
      if (time_ > 0)
        *to++ = steps == 1 ? 0.0f
                           : static_cast<float>(time_ * static_cast<double>(k) /
                                                static_cast<double>(steps - 1));
      to = std::ranges::copy(in.subspan(k * channels_, channels_), to).out;
    }
  }

  double time_ = 0;
  std::size_t channels_ = 0;
};

}  // namespace

ComponentEntry declare_as_set() { return AsSet::declare().entry(); }

}  // namespace semblance::sets
