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

void FullSteps::save(CheckpointWriter& writer) const {
  std::vector<double> values;
  for (const State& state : states_)
    values.insert(values.end(),
                  {state.takes ? 1.0 : 0.0, state.least, static_cast<double>(state.later)});
  writer.doubles("full_steps", values);
}

void FullSteps::restore(const CheckpointReader& saved) {
  const std::vector<double> values = saved.doubles("full_steps", 3 * states_.size());
  for (std::size_t c = 0; c < states_.size(); ++c)
    states_[c] = {values[3 * c] != 0, values[3 * c + 1],
                  static_cast<std::size_t>(values[3 * c + 2])};
}

}  // namespace semblance::linear
