// SPDX-License-Identifier: MIT
#include <algorithm>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::series {
namespace {

/// The values of a series as a vector.
class Flatten final : public RowFeature {
 public:
  static Declaration<Flatten> declare() {
    return Declaration<Flatten>("feature/flatten", "The values of a series as a vector")
        .parameter("pad", &Flatten::pad_,
                   "fill shorter series up at their end; else they are refused")
        .parameter("fill", &Flatten::fill_, "what they are filled with", at_least(-1e15),
                   at_most(1e15))
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::vector)
        .documentation(
            "The vector has the longest series' steps times channels values, the channels of a "
            "step next to each other. So series go into everything that takes vectors.")
        .complexity("one copy")
        .inexpensive()
        .example(R"(
        series: {is: source/warped_series}
        equal:  {is: feature/resample, length: 50, from: series}
        x:      {is: feature/flatten, from: equal}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.01}, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    need_sequence(input, "flatten");
    return Layout::vector(input.size());
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    if (in.size() < out.size() && !pad_)
      throw Error("the series has " + std::to_string(in.size() / layout().depth) +
                  " steps, but a vector has room for " + std::to_string(layout().width) +
                  ", and all must be equally long; use feature/resample before, or 'pad: true'");
    if (in.size() > out.size())
      throw Error(
          "the series has " + std::to_string(in.size() / layout().depth) +
          " steps, but a vector has room for " + std::to_string(layout().width) +
          ", as many as the longest training series; cut it, or use feature/resample before");
    std::copy(in.begin(), in.end(), out.begin());
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(in.size()), out.end(),
              static_cast<float>(fill_));
  }

  bool pad_ = false;
  double fill_ = 0;
};

}  // namespace

ComponentEntry declare_flatten() { return Flatten::declare().entry(); }

}  // namespace semblance::series
