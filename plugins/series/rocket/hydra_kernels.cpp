// SPDX-License-Identifier: MIT
#include "rocket/hydra_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace semblance::series {

HydraBank hydra_layout(std::size_t steps, std::size_t channels, std::size_t groups) {
  HydraBank bank;
  bank.channels = channels;
  bank.groups = groups;
  bank.channels_each = channels == 1 ? 1 : std::clamp(channels / 2, std::size_t{2}, std::size_t{8});
  for (std::size_t d = 1; d <= (steps - 1) / (hydra_taps - 1); d *= 2) bank.dilations.push_back(d);
  return bank;
}

void draw_hydra_weights(HydraBank& bank, Random& random) {
  bank.weights.resize(bank.group_count() * hydra_taps * hydra_kernels);
  bank.channel_choices.assign(bank.group_count() * bank.channels_each, 0);
  for (std::size_t number = 0; number < bank.group_count(); ++number) {
    if (bank.channels > 1)
      for (std::size_t c = 0; c < bank.channels_each; ++c)
        bank.channel_choices[number * bank.channels_each + c] =
            static_cast<std::uint32_t>(random.below(bank.channels));
    for (std::size_t k = 0; k < hydra_kernels; ++k) {
      std::array<double, hydra_taps> weights;
      for (double& w : weights) w = random.normal();
      const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / hydra_taps;
      double size = 0;
      for (double& w : weights) size += std::abs(w -= mean);
      for (std::size_t t = 0; t < hydra_taps; ++t)
        bank.weights[(number * hydra_taps + t) * hydra_kernels + k] =
            static_cast<float>(weights[t] / size);
    }
  }
}

}  // namespace semblance::series
