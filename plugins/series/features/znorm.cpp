// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// Each series and channel with mean 0 and standard deviation 1.
class ZNorm final : public RowFeature {
 public:
  static Declaration<ZNorm> declare() {
    return Declaration<ZNorm>("feature/znorm",
                              "Scales each series and channel to mean 0 and standard deviation 1")
        .parameter("deviation", &ZNorm::deviation_,
                   "sample: squared deviations are divided by the number of steps less one, as in "
                   "the UCR archive; population: by the number of steps",
                   choices({"sample", "population"}))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::sequence)
        .documentation(
            "Every series on its own; nothing is learned. A series that is constant, or that has "
            "one step only, becomes zeros. Errors published for the UCR archive are for series "
            "normalized in this way.")
        .reference(
            "Dau et al.: The UCR time series archive (IEEE/CAA Journal of Automatica Sinica 2019), "
            "whose normalized sets have a sample deviation of 1")
        .complexity("three passes over a series")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        x:      {is: feature/znorm, from: series}
        maps:   {is: normalizer/minirocket, from: x}
        svm:    {is: solver/linear_svm, from: maps}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    need_sequence(input, "znorm");
    return input;
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t channels = layout().depth, steps = in.size() / channels;
    const double degrees = deviation_ == "sample" ? double(steps) - 1 : double(steps);
    for (std::size_t c = 0; c < channels; ++c) {
      double sum = 0, squares = 0, largest = 0;
      for (std::size_t i = c; i < in.size(); i += channels) {
        sum += in[i];
        largest = std::max(largest, std::abs(double(in[i])));
      }
      const double mean = sum / double(steps);
      for (std::size_t i = c; i < in.size(); i += channels) {
        const double centred = in[i] - mean;
        squares += centred * centred;
      }
      const double deviation = degrees > 0 ? std::sqrt(squares / degrees) : 0;
      // A constant series' deviation is rounding of double: it must not be blown up to one.
      const double scale = deviation > 1e-13 * largest ? 1 / deviation : 0;
      for (std::size_t i = c; i < in.size(); i += channels)
        out[i] = static_cast<float>((in[i] - mean) * scale);
    }
  }

  std::string deviation_ = "sample";
};

}  // namespace

ComponentEntry declare_znorm() { return ZNorm::declare().entry(); }

}  // namespace semblance::series
