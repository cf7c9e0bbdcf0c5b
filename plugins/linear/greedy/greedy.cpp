// SPDX-License-Identifier: MIT
#include "greedy/greedy.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "semblance/same_figure.hpp"

namespace semblance::linear {

GreedyChoice choose_greedily(std::size_t candidates, std::size_t most, double least_gain,
                             double start, const GreedyValues& values) {
  GreedyChoice choice;
  std::vector<std::size_t> chosen, left(candidates);
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty() && chosen.size() < most) {
    const auto found = values(chosen, left);
    if (!found) {
      choice.complete = false;
      break;
    }
    auto& tried = choice.tried.emplace_back(candidates, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < left.size(); ++i) tried[left[i]] = (*found)[i];
    const double greatest = std::ranges::max(*found);
    const auto best =
        std::ranges::find_if(*found,
                             [&](double v) { return v == greatest || same_figure(v, greatest); }) -
        found->begin();
    const double value = (*found)[static_cast<std::size_t>(best)];
    const double gain = value - (choice.steps.empty() ? start : choice.steps.back().value);
    // The gain is a difference of values: its rounding error does not count.
    if (!choice.steps.empty() && gain < least_gain - rounding_of(value)) break;
    choice.steps.push_back({left[static_cast<std::size_t>(best)], value, gain});
    chosen.push_back(choice.steps.back().chosen);
    left.erase(left.begin() + best);
  }
  return choice;
}

}  // namespace semblance::linear
