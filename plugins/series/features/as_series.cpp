// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// The values of a vector as a series.
class AsSeries final : public RowFeature {
 public:
  static Declaration<AsSeries> declare() {
    return Declaration<AsSeries>("feature/as_series", "The values of a vector as a series")
        .parameter("channels", &AsSeries::channels_,
                   "values of each step, which lie next to each other in the vector", at_least(1),
                   at_most(1048576))
        .accepts({LayoutKind::vector})
        .gives(LayoutKind::sequence)
        .documentation(
            "A vector of d values becomes a series of d / channels steps. So series that come as "
            "the columns of a table go into measures and features of series.")
        .complexity("one copy")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        equal:  {is: feature/resample, length: 50, from: series}
        x:      {is: feature/flatten, from: equal}
        again:  {is: feature/as_series, from: x}
        maps:   {is: normalizer/minirocket, from: again}
        svm:    {is: solver/linear_svm, from: maps}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    if (input.kind != LayoutKind::vector)
      throw Error(std::string("as_series needs vectors, but these samples are each ") +
                  layouts().at(static_cast<std::size_t>(input.kind)).article + " " +
                  describe(input) + "; connect it to a source of vectors");
    const auto channels = static_cast<std::size_t>(channels_);
    if (input.size() % channels != 0)
      throw Error("vectors of " + std::to_string(input.size()) + " values are no series of " +
                  std::to_string(channels) + " channels; set 'channels' to a divisor of " +
                  std::to_string(input.size()));
    return Layout::sequence(input.size() / channels, channels);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    std::copy(in.begin(), in.end(), out.begin());
  }

  std::int64_t channels_ = 1;
};

}  // namespace

ComponentEntry declare_as_series() { return AsSeries::declare().entry(); }

}  // namespace semblance::series
