// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "generated/drawn_source.hpp"

namespace semblance::sources {
namespace {

constexpr double slowest = 3, fastest = 12;

// pulses per 100 steps

/// Series whose number to predict is the rate of their pulses, as a heart rate is of a sensor's
/// signal.
class Pulses final : public RowByRowSource {
 public:
  Pulses() : RowByRowSource(200, 200) {}

  static Declaration<Pulses> declare() {
    Declaration<Pulses> declaration(
        "source/pulses", "Generated time series of pulses, whose rate is to be predicted");
    declare_sizes(declaration, "series", 1e7);
    declaration
        .parameter("length", &Pulses::length_, "steps of a series", at_least(2), at_most(1e6),
                   unit("steps"))
        .parameter("jitter", &Pulses::jitter_,
                   "standard deviation of the time between two pulses, as a share of its mean",
                   at_least(0), at_most(1))
        .parameter("noise", &Pulses::noise_,
                   "standard deviation of the noise on every value; pulses are about 1 high",
                   at_least(0), at_most(1e6));
    return declaration.gives(LayoutKind::sequence)
        .random()
        .documentation(
            "A series is a sensor's signal of something that beats: each pulse is followed by an "
            "echo, whose place, width and height differ from series to series, as does the "
            "strength of all pulses. The number to predict, `rate`, is pulses per 100 steps, "
            "uniform between 3 and 12. The time between pulses varies by `jitter`; a drifting "
            "baseline and normal noise are added. A row depends only on the seed and its number.")
        .complexity("memory: 4 bytes per value; time: values x pulses of a series")
        .example(R"(
        series:   {is: source/pulses}
        features: {is: normalizer/multirocket, from: series}
        z:        {is: normalizer/zscore, from: features}
        fit:      {is: solver/ridge, penalties: [1, 10, 100, 1000], from: z}
        test:     {is: evaluator/regression, from: fit})");
  }

 protected:
  DrawnShape shape() const override {
    return {Layout::sequence(static_cast<std::size_t>(length_), 1), {}, {"rate"}};
  }
  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    return [this](std::size_t, Random& stream, std::span<float> row) { return draw(stream, row); };
  }

 private:
  double draw(Random& random, std::span<float> steps) const {
    const double rate = slowest + (fastest - slowest) * random.uniform(), period = 100 / rate;
    // A pulse rises and falls, with an echo: places in periods, widths in periods, heights.
    struct Part {
      double place, width, height;
    };
    const std::array<Part, 2> parts = {
        Part{0, 0.08 + 0.06 * random.uniform(), 1},
        Part{0.25 + 0.25 * random.uniform(), 0.05 + 0.1 * random.uniform(), random.uniform()}};
    const double strength = std::exp(random.normal() / 2);
    std::vector<double> sums(steps.size());
    for (double at = -2 * period * random.uniform(); at < static_cast<double>(steps.size());
         at += period * std::max(0.2, 1 + jitter_ * random.normal()))
      for (const Part& part : parts)
        for (std::size_t t = 0; t < steps.size(); ++t) {
          const double x =
              (static_cast<double>(t) - at - part.place * period) / (part.width * period);
          sums[t] += strength * part.height * std::exp(-x * x / 2);
        }
    // The baseline drifts, slower than any pulse.
    const double phase = 2 * std::numbers::pi * random.uniform();
    for (std::size_t t = 0; t < steps.size(); ++t)
      steps[t] = static_cast<float>(
          sums[t] + std::sin(phase + 0.01 * std::numbers::pi * static_cast<double>(t)) +
          noise_ * random.normal());
    return rate;
  }

  std::int64_t length_ = 200;
  double jitter_ = 0.1;
  double noise_ = 0.5;
};

/// A smooth curve over time in [0, 1]: a sum of bumps.
class BumpCurve {
 public:
  BumpCurve(std::size_t bumps, Random& random) {
    for (std::size_t k = 0; k < bumps; ++k) {
      // One in each part of the time: curves differ in heights, which a warp blurs step by step.
      const double middle = (double(k) + random.uniform(0.25, 0.75)) / double(bumps);
      bumps_.push_back(
          {middle, random.uniform(0.15, 0.3) / double(bumps), random.uniform(0.2, 1.8)});
    }
  }

  double operator()(double time) const noexcept {
    double sum = 0;
    for (const Bump& bump : bumps_) {
      const double distance = (time - bump.middle) / bump.width;
      sum += bump.height * std::exp(-0.5 * distance * distance);
    }
    return sum;
  }

 private:
  struct Bump {
    double middle, width, height;
  };
  std::vector<Bump> bumps_;
};

/// A random increasing map of [0, 1] onto itself, linear between equidistant knots, with scaled
/// slopes exp(strength x normal).
class TimeWarp {
 public:
  TimeWarp(double strength, Random& random) {
    constexpr std::size_t pieces = 6;
    knots_.push_back(0);
    for (std::size_t k = 0; k < pieces; ++k)
      knots_.push_back(knots_.back() + std::exp(strength * random.normal()));
    const double end = knots_.back();
    for (double& knot : knots_) knot /= end;
  }

  double operator()(double time) const noexcept {
    const double place = time * double(knots_.size() - 1);
    const std::size_t left = std::min(static_cast<std::size_t>(place), knots_.size() - 2);
    return knots_[left] + (knots_[left + 1] - knots_[left]) * (place - double(left));
  }

 private:
  std::vector<double> knots_;  ///< from 0 to 1
};

/// Series of classes that differ in shape and not in when things happen.
class WarpedSeries final : public RowByRowSource {
 public:
  WarpedSeries() : RowByRowSource(15, 25, {"per_class", "test_per_class"}) {}

  static Declaration<WarpedSeries> declare() {
    Declaration<WarpedSeries> declaration("source/warped_series",
                                          "Generated time series of classes, each warped in time");
    declaration.parameter("classes", &WarpedSeries::classes_, "number of classes", at_least(2),
                          at_most(1e5));
    declare_sizes(declaration, "series of each class", 1e6);
    declaration
        .parameter("length", &WarpedSeries::length_, "steps of the longest series", at_least(2),
                   at_most(1e6), unit("steps"))
        .parameter("shortest", &WarpedSeries::shortest_,
                   "steps of the shortest series: lengths are uniform from here to 'length'; 0: "
                   "all series have that length",
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
                   at_least(0), at_most(1e6));
    return declaration.gives(LayoutKind::sequence)
        .random()
        .documentation(
            "A class has a smooth curve, a sum of bumps whose places, widths and heights are drawn "
            "at random, one for each channel. A series follows its class's curve at a pace of its "
            "own: time is mapped by a random increasing function, the same for all channels, and "
            "normal noise is added to each value. So series of a class look alike after time is "
            "aligned, as `similarity/dtw` does, and less so step by step. Classes alternate row by "
            "row. A row depends only on the seed and its number.")
        .complexity("memory: 4 bytes per value")
        .example(R"(
        series: {is: source/warped_series, length: 80, shortest: 50}
        bases:  {is: basis/random, count: 15, from: series}
        dtw:    {is: similarity/dtw, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: dtw}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (shortest_ > length_)
      throw Error("'shortest: " + std::to_string(shortest_) + "' is more than 'length: " +
                  std::to_string(length_) + "'; lower it, or set it to 0 for series of one length");
    DrawnSource::check_parameters();
  }

 protected:
  bool per_class() const override { return true; }
  DrawnShape shape() const override {
    return {
        Layout::sequence(static_cast<std::size_t>(length_), static_cast<std::size_t>(channels_)),
        numbered_classes(classes_),
        {},
        static_cast<std::size_t>(shortest_ > 0 ? shortest_ : length_)};
  }

  /// Each channel is its class's curve at a warped time, plus noise.
  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    std::vector<std::vector<BumpCurve>> all(static_cast<std::size_t>(classes_));
    for (auto& of_class : all)
      for (std::int64_t c = 0; c < channels_; ++c)
        of_class.emplace_back(static_cast<std::size_t>(bumps_), random);
    return [this, all](std::size_t label, Random& stream, std::span<float> row) {
      const std::vector<BumpCurve>& curves = all[label];
      const TimeWarp warp(warp_, stream);
      const std::size_t steps = row.size() / curves.size();
      for (std::size_t t = 0; t < steps; ++t) {
        const double time = warp(steps > 1 ? double(t) / double(steps - 1) : 0.5);
        for (std::size_t c = 0; c < curves.size(); ++c)
          row[t * curves.size() + c] =
              static_cast<float>(curves[c](time) + noise_ * stream.normal());
      }
      return 0.0;
    };
  }

 private:
  std::int64_t classes_ = 4;
  std::int64_t length_ = 60;
  std::int64_t shortest_ = 0;
  std::int64_t channels_ = 1;
  std::int64_t bumps_ = 5;
  double warp_ = 0.8;
  double noise_ = 0.2;
};

}  // namespace

ComponentEntry declare_pulses() { return Pulses::declare().entry(); }
ComponentEntry declare_warped_series() { return WarpedSeries::declare().entry(); }

}  // namespace semblance::sources
