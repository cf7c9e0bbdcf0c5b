// SPDX-License-Identifier: MIT
#include "newton/full_steps.hpp"

namespace semblance::linear {
void FullSteps::begin(std::span<const std::size_t> problems) {
  for (const std::size_t c : problems) states_[c] = {.takes = true};
}

bool FullSteps::continues(std::size_t problem, double changes) {
  State& state = states_[problem];
  if (changes == 0) {
    state.takes = false;
    return true;
  }
  if (changes < state.least) {
    state.least = changes;
    state.later = 0;
  } else if (++state.later > patience) {
    state.takes = false;
  }
  return state.takes;
}

}  // namespace semblance::linear
