// SPDX-License-Identifier: MIT
#include "shapelets/shapelet_bank.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "shapelets/shapelet_distances.hpp"
#include "shapelets/shapelet_places.hpp"

namespace semblance::series {
namespace {

constexpr double lowest_percentile = 5, highest_percentile = 10;

/// By linear interpolation between the sorted values.
double percentile(const std::vector<float>& sorted, double percent) {
  const double at = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (at - static_cast<double>(below)) * (double(sorted[above]) - sorted[below]);
}

/// The median, which neither a very long nor a very short series changes; enough for a shapelet of
/// two values.
std::size_t typical_steps(std::vector<std::size_t> steps) {
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return std::max<std::size_t>(2, *middle);
}

/// What is random about a shapelet.
struct Draw {
  ShapeletPlaces::Place place;
  std::size_t other;  ///< the series from which the threshold is learned
  double level;       ///< of the threshold, between the percentiles
};

/// Dilations and normalization, in the order of the bank.
void draw_kinds(const ShapeletChoice& choice, std::size_t steps, Random& random,
                ShapeletBank& bank) {
  const double most = std::log2(static_cast<double>((steps - 1) / (bank.length - 1)));
  std::vector<std::pair<std::uint32_t, std::uint8_t>> kinds;
  for (std::size_t i = 0; i < choice.count; ++i) {
    const double dilation = std::exp2(random.uniform(0, most));
    const bool normalized = random.uniform() < choice.normalized;
    kinds.emplace_back(static_cast<std::uint32_t>(dilation), normalized ? 1 : 0);
  }
  std::ranges::sort(kinds);
  for (const auto& [dilation, normalized] : kinds) {
    bank.dilations.push_back(dilation);
    bank.normalized.push_back(normalized);
  }
}

/// The series of each label.
class Classmates {
 public:
  explicit Classmates(std::span<const std::int32_t> labels) : labels_(labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) all_[labels[i]].push_back(i);
  }

  /// Another series with the same label, or the same one if there is none.
  std::size_t draw(std::size_t series, Random& random) const {
    const auto& same = all_.at(labels_[series]);
    if (same.size() == 1) return series;
    const std::size_t other = same[random.below(same.size() - 1)];
    return other == series ? same.back() : other;
  }

 private:
  std::span<const std::int32_t> labels_;
  std::map<std::int32_t, std::vector<std::size_t>> all_;
};

std::vector<Draw> draw_places(const ShapeletChoice& choice, const ShapeletTraining& training,
                              const ShapeletBank& bank, Random& random, Context& context) {
  const Classmates classmates(training.labels);
  const auto shared = static_cast<std::size_t>((1 - choice.alpha) * double(bank.length));
  const std::size_t apart = bank.length - std::max<std::size_t>(1, shared);
  std::vector<Draw> draws;
  draws.reserve(bank.count());
  while (draws.size() < bank.count()) {
    context.check_stop();
    const std::size_t first = draws.size();
    ShapeletPlaces places(training.steps, bank.length, bank.dilations[first], apart);
    for (std::size_t i = first; i < bank.count() && bank.dilations[i] == bank.dilations[first] &&
                                bank.normalized[i] == bank.normalized[first];
         ++i) {
      const ShapeletPlaces::Place place = places.draw(random);
      const std::size_t other = classmates.draw(place.series, random);
      draws.push_back({place, other, random.uniform()});
    }
  }
  return draws;
}

void learn(const Draw& draw, const ShapeletTraining& training, std::size_t number,
           ShapeletBank& bank) {
  const std::vector<float> from = training.series(draw.place.series),
                           other = training.series(draw.other);
  float* to = bank.values.data() + number * bank.values_each();
  const std::size_t apart = bank.dilations[number] * bank.channels;
  for (std::size_t c = 0; c < bank.channels; ++c, to += bank.length) {
    const float* window = from.data() + draw.place.step * bank.channels + c;
    if (bank.normalized[number] != 0)
      normalize_window(window, apart, bank.length, to);
    else
      for (std::size_t t = 0; t < bank.length; ++t) to[t] = window[t * apart];
  }
  std::vector<float> distances = shapelet_distances(bank, number, {other, bank.channels});
  std::ranges::sort(distances);
  const double low = percentile(distances, lowest_percentile),
               high = percentile(distances, highest_percentile);
  bank.thresholds[number] = static_cast<float>(low + draw.level * (high - low));
}

}  // namespace

ShapeletBank draw_shapelets(const ShapeletChoice& choice, const ShapeletTraining& training,
                            Random& random, Context& context) {
  const std::size_t steps = typical_steps(training.steps);
  ShapeletBank bank;
  bank.channels = training.channels;
  bank.length = std::min(choice.length, std::max<std::size_t>(2, steps / 2));
  draw_kinds(choice, steps, random, bank);
  const std::vector<Draw> draws = draw_places(choice, training, bank, random, context);
  bank.values.resize(bank.count() * bank.values_each());
  bank.thresholds.resize(bank.count());
  constexpr std::size_t together = 64;
  context.parallel_for((bank.count() + together - 1) / together, [&](std::size_t part) {
    context.check_stop();
    const std::size_t end = std::min(bank.count(), (part + 1) * together);
    for (std::size_t i = part * together; i < end; ++i) learn(draws[i], training, i, bank);
  });
  return bank;
}

}  // namespace semblance::series
