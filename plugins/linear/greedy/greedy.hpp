// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace semblance::linear {

/// One candidate taken by a greedy choice.
struct GreedyStep {
  std::size_t chosen = 0;
  double value = 0;  ///< of the choice so far, including this one
  double gain = 0;   ///< over the choice before
};

struct GreedyChoice {
  std::vector<GreedyStep> steps;
  /// The values of the previous choice together with each candidate, one row per step; NaN for
  /// candidates already chosen. The last row may be of a step that was not taken.
  std::vector<std::vector<double>> tried;
  bool complete = true;  ///< false if `values` returned nothing
};

/// The values of `chosen` together with each of `candidates`, in their order; nothing: stop
/// requested.
using GreedyValues = std::function<std::optional<std::vector<double>>(
    std::span<const std::size_t> chosen, std::span<const std::size_t> candidates)>;

/// Repeatedly takes the candidate with the largest value until `most` are taken or the gain is
/// below `least_gain`; ties (same_figure()) go to the first. The first candidate is always taken;
/// its gain is over `start`.
GreedyChoice choose_greedily(std::size_t candidates, std::size_t most, double least_gain,
                             double start, const GreedyValues& values);

}  // namespace semblance::linear
