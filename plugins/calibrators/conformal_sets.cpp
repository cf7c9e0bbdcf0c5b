// SPDX-License-Identifier: MIT
#include "conformal_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"
#include "semblance/random.hpp"

namespace semblance::calibrators {
namespace {

/// Uniform in [0, 1) over probabilities.
double uniform_of(std::span<const float> probabilities, std::uint64_t salt) {
  std::uint64_t hash = salt;
  for (const float p : probabilities)
    // A minus 0 equals 0.
    hash = Random(hash ^ std::bit_cast<std::uint32_t>(p + 0.0F)).bits();
  return Random(hash).uniform();
}

}  // namespace

float narrowed(double score) {
  const auto rounded = static_cast<float>(score);
  return score < 0 ? std::min(rounded, -std::numeric_limits<float>::denorm_min()) : rounded;
}

double Strangeness::largest(std::size_t classes) const {
  return 1 + (adaptive ? penalty * static_cast<double>(classes - std::min(free, classes)) : 0);
}

void Strangeness::of(std::span<const float> probabilities, std::span<double> out) const {
  if (!adaptive) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = 1 - double{probabilities[c]};
    return;
  }
  if (std::ranges::any_of(probabilities, [](float p) { return std::isnan(p); })) {
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  std::vector<std::size_t> order(out.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t c) { return probabilities[c]; });
  const double u = randomized ? uniform_of(probabilities, salt) : 0;
  double before = 0;
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    const double p{probabilities[order[first]]};
    while (end < order.size() && double{probabilities[order[end]]} == p) ++end;
    // Rounded probabilities may add up to more than 1.
    const double own = std::min(before + u * p, 1.0) +
                       penalty * static_cast<double>(first + 1 - std::min(free, first + 1));
    for (std::size_t k = first; k < end; ++k) out[order[k]] = own;
    before += p * static_cast<double>(end - first);
  }
}

Formula::Value Strangeness::write(Formula& formula, Formula::Value probabilities) const {
  const auto p = formula.widen(probabilities);
  const auto zero = formula.number(0, p), one = formula.number(1, p);
  if (!adaptive) return formula.subtract(one, p);
  if (randomized)
    throw Error(
        "a formula cannot draw the random share of a row; set 'randomized: false' or 'method: "
        "threshold'");
  std::vector<Formula::Value> all;
  for (std::size_t c = 0; c < formula.width(p); ++c) {
    const auto own = formula.gather(p, {c});
    const auto before = formula.minimum(formula.sum(formula.where_greater(p, own, p, zero)), one);
    // A class without a larger one before it has the first place.
    const auto place = formula.add(formula.sum(formula.where_greater(p, own, one, zero)), one);
    const auto beyond = formula.subtract(place, formula.number(static_cast<double>(free), place));
    all.push_back(formula.add(
        before, formula.multiply(formula.number(penalty, place), formula.maximum(beyond, zero))));
  }
  return formula.concatenate(all);
}

void narrow_scores(std::span<const double> scores, std::size_t first, std::span<float> out) {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = narrowed(scores[c]);
  if (scores[first] < *std::ranges::max_element(scores)) return;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float largest = out[first];
  for (std::size_t c = 0; c < first; ++c) {
    if (out[c] < largest) continue;
    // The side of 0 is whether the class is in the set.
    if (largest >= 0)
      out[first] = std::nextafter(largest, infinity);
    else
      out[c] = std::nextafter(largest, -infinity);
  }
}

Formula::Value narrow_scores(Formula& formula, Formula::Value scores) {
  const auto outside =
      formula.minimum(scores, formula.number(-std::numeric_limits<float>::denorm_min(), scores));
  return formula.narrow(formula.where_greater(formula.number(0, scores), scores, outside, scores));
}

}  // namespace semblance::calibrators
