// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace semblance::solvers {

/// One candidate that a greedy choice took.
struct GreedyStep {
  std::size_t chosen = 0;
  double value = 0;  ///< of what was chosen so far, this one included
  double gain = 0;   ///< over what was chosen before
};

struct GreedyChoice {
  std::vector<GreedyStep> steps;
  /// The value of what was chosen before together with each candidate, a row a step; NaN for those
  /// chosen already. The last row may be of a step that was not taken.
  std::vector<std::vector<double>> tried;
  bool complete = true;  ///< false where `values` gave none
};

/// The values of `chosen` together with each of `candidates`, in their order; nothing: stop.
using GreedyValues = std::function<std::optional<std::vector<double>>(
    std::span<const std::size_t> chosen, std::span<const std::size_t> candidates)>;

/// Takes the candidate that makes the value largest, again and again, the first one between equals
/// (same_figure()), until `most` are taken or the gain is below `least_gain`. The first is taken in
/// any case; its gain is over `start`.
GreedyChoice choose_greedily(std::size_t candidates, std::size_t most, double least_gain,
                             double start, const GreedyValues& values);

}  // namespace semblance::solvers
