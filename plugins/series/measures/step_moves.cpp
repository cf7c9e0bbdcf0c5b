// SPDX-License-Identifier: MIT
#include "measures/step_moves.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::series {

double move_length(std::span<const float> series, std::size_t channels, std::size_t t) noexcept {
  double sum = 0;
  for (std::size_t c = 0; c < channels; ++c) {
    const double before = t == 0 ? 0 : series[(t - 1) * channels + c];
    const double move = series[t * channels + c] - before;
    sum += move * move;
  }
  return std::sqrt(sum);
}

void add_moves(std::span<const float> series, std::size_t channels, float* steps) noexcept {
  const std::size_t count = series.size() / channels;
  for (std::size_t t = 0; t < count; ++t, steps += channels + 1) {
    std::copy_n(series.data() + t * channels, channels, steps);
    steps[channels] = t == 0 ? 0 : static_cast<float>(move_length(series, channels, t));
  }
}

}  // namespace semblance::series
