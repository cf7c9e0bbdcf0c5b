// SPDX-License-Identifier: MIT
#include "generated/drawn_rows.hpp"
#include "generated/warped_curves.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {
namespace {

/// Series of classes that differ in shape and not in when things happen.
class WarpedSeries final : public Source {
 public:
  static Declaration<WarpedSeries> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  DrawnSizes sizes() const;
  Layout layout() const;
  std::size_t shortest() const;

  std::int64_t classes_ = 4;
  std::int64_t per_class_ = 15;
  std::int64_t test_per_class_ = 25;
  std::int64_t length_ = 60;
  std::int64_t shortest_ = 0;
  std::int64_t channels_ = 1;
  std::int64_t bumps_ = 5;
  double warp_ = 0.8;
  double noise_ = 0.2;
};

DrawnSizes WarpedSeries::sizes() const {
  return {static_cast<std::size_t>(classes_), static_cast<std::size_t>(per_class_),
          static_cast<std::size_t>(test_per_class_)};
}

Layout WarpedSeries::layout() const {
  return Layout::sequence(static_cast<std::size_t>(length_), static_cast<std::size_t>(channels_));
}

std::size_t WarpedSeries::shortest() const {
  return static_cast<std::size_t>(shortest_ > 0 ? shortest_ : length_);
}

void WarpedSeries::check_parameters() const {
  if (shortest_ > length_)
    throw Error("'shortest: " + std::to_string(shortest_) + "' is more than 'length: " +
                std::to_string(length_) + "'; lower it, or set it to 0 for series of one length");
  if (per_class_ + test_per_class_ == 0)
    throw Error("'per_class' and 'test_per_class' are both 0, so there are no rows");
}

Outline WarpedSeries::outline(Context& context) const {
  Random random = context.random();
  return drawn_outline(layout(), sizes(), RowStreams(sizes(), random), shortest());
}

std::unique_ptr<Dataset> WarpedSeries::open(Context& context) const {
  Random random = context.random();
  const RowStreams streams(sizes(), random);
  std::vector<std::vector<BumpCurve>> curves(static_cast<std::size_t>(classes_));
  for (auto& of_class : curves)
    for (std::int64_t c = 0; c < channels_; ++c)
      of_class.emplace_back(static_cast<std::size_t>(bumps_), random);
  return drawn_dataset<float>(
      layout(), sizes(), streams, shortest(),
      [&](std::size_t label, Random& row, std::span<float> out) {
        draw_warped(curves[label], warp_, noise_, row, out);
      },
      context);
}

Declaration<WarpedSeries> WarpedSeries::declare() {
  return Declaration<WarpedSeries>("source/warped_series",
                                   "Generated time series of classes, each warped in time")
      .documentation(
          "A class has a smooth curve, a sum of bumps whose places, widths and heights are drawn "
          "at "
          "random, one for each channel. A series follows its class's curve at a pace of "
          "its own: time is mapped by a random increasing function, the same for all channels, and "
          "normal noise is added to each value. So series of a class look alike after time is "
          "aligned, as `similarity/dtw` does, and less so step by step. Classes alternate row by "
          "row. A row depends only on the seed and its number.")
      .parameter("classes", &WarpedSeries::classes_, "number of classes", at_least(2), at_most(1e5))
      .parameter("per_class", &WarpedSeries::per_class_, "training series of each class",
                 at_least(0), at_most(1e6))
      .parameter("test_per_class", &WarpedSeries::test_per_class_, "test series of each class",
                 at_least(0), at_most(1e6))
      .parameter("length", &WarpedSeries::length_, "steps of the longest series", at_least(2),
                 at_most(1e6), unit("steps"))
      .parameter("shortest", &WarpedSeries::shortest_,
                 "steps of the shortest series: lengths are uniform from here to 'length'; 0: all "
                 "series have that length",
                 at_least(0), at_most(1e6), unit("steps"))
      .parameter("channels", &WarpedSeries::channels_, "channels of a series", at_least(1),
                 at_most(1000))
      .parameter("bumps", &WarpedSeries::bumps_, "bumps of a curve", at_least(1), at_most(1000))
      .parameter("warp", &WarpedSeries::warp_,
                 "how much the pace varies: standard deviation of the logarithm of the rate at "
                 "which time passes, in each of six parts; 0: not at all",
                 at_least(0), at_most(5))
      .parameter("noise", &WarpedSeries::noise_,
                 "standard deviation of the noise on every value; bumps are 0.2 to 1.8 high",
                 at_least(0), at_most(1e6))
      .gives(LayoutKind::sequence)
      .random()
      .complexity("memory: 4 bytes per value")
      .example(R"(
        series: {is: source/warped_series, length: 80, shortest: 50}
        bases:  {is: basis/random, count: 15, from: series}
        dtw:    {is: similarity/dtw, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: dtw}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_warped_series() { return WarpedSeries::declare().entry(); }

}  // namespace semblance::sources
