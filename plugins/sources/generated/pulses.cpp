// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "generated/drawn_numbers.hpp"
#include "semblance/declaration.hpp"

namespace semblance::sources {
namespace {

constexpr double slowest = 3, fastest = 12;  // pulses per 100 steps

/// Series whose number to predict is the rate of their pulses, as a heart rate is of a sensor's
/// signal.
class Pulses final : public Source {
 public:
  static Declaration<Pulses> declare();

  void check_parameters() const override;
  TargetKind target_kind() const override { return TargetKind::numbers; }
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  double draw(Random& random, std::span<float> steps) const;

  std::int64_t train_ = 200;
  std::int64_t test_ = 200;
  std::int64_t length_ = 200;
  double jitter_ = 0.1;
  double noise_ = 0.5;
};

void Pulses::check_parameters() const {
  if (train_ + test_ == 0) throw Error("'train' and 'test' are both 0, so there are no rows");
}

Outline Pulses::outline(Context&) const {
  Outline outline{Layout::sequence(static_cast<std::size_t>(length_), 1),
                  static_cast<std::size_t>(train_),
                  static_cast<std::size_t>(test_),
                  {}};
  outline.targets = {"rate"};
  outline.values = outline.rows() * outline.layout.size();
  return outline;
}

double Pulses::draw(Random& random, std::span<float> steps) const {
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

std::unique_ptr<Dataset> Pulses::open(Context& context) const {
  return drawn_numbers(
      outline(context), [&](Random& random, std::span<float> steps) { return draw(random, steps); },
      context);
}

Declaration<Pulses> Pulses::declare() {
  return Declaration<Pulses>("source/pulses",
                             "Generated time series of pulses, whose rate is to be predicted")
      .documentation(
          "A series is a sensor's signal of something that beats: each pulse is followed by an "
          "echo, "
          "whose place, width and height differ from series to series, as does the strength of all "
          "pulses. The number to predict, `rate`, is pulses per 100 steps, uniform between 3 and "
          "12. The time between pulses varies by `jitter`; a drifting baseline and normal noise "
          "are added. A row depends only on the seed and its number.")
      .parameter("train", &Pulses::train_, "training series", at_least(0), at_most(1e7))
      .parameter("test", &Pulses::test_, "test series", at_least(0), at_most(1e7))
      .parameter("length", &Pulses::length_, "steps of a series", at_least(2), at_most(1e6),
                 unit("steps"))
      .parameter("jitter", &Pulses::jitter_,
                 "standard deviation of the time between two pulses, as a share of its mean",
                 at_least(0), at_most(1))
      .parameter("noise", &Pulses::noise_,
                 "standard deviation of the noise on every value; pulses are about 1 high",
                 at_least(0), at_most(1e6))
      .gives(LayoutKind::sequence)
      .random()
      .complexity("memory: 4 bytes per value; time: values x pulses of a series")
      .example(R"(
        series:   {is: source/pulses}
        features: {is: normalizer/multirocket, from: series}
        z:        {is: normalizer/zscore, from: features}
        fit:      {is: solver/ridge, penalties: [1, 10, 100, 1000], from: z}
        test:     {is: evaluator/regression, from: fit})");
}

}  // namespace

ComponentEntry declare_pulses() { return Pulses::declare().entry(); }

}  // namespace semblance::sources
