// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::series {

inline constexpr std::size_t hydra_taps = 9;     ///< the length of a kernel
inline constexpr std::size_t hydra_kernels = 8;  ///< kernels that compete in a group

/// The kernels of Hydra: for each dilation, groups for a series and as many for its differences.
struct HydraBank {
  std::size_t channels = 1;
  std::size_t groups = 0;              ///< per dilation, of series and of differences each
  std::size_t channels_each = 1;       ///< channels that a group adds up
  std::vector<std::size_t> dilations;  ///< 1, 2, 4, ...
  /// By group_number(), tap and kernel.
  std::vector<float> weights;
  /// By group_number(): the channels that it adds up; one may occur several times.
  std::vector<std::uint32_t> channel_choices;

  std::size_t group_count() const noexcept { return 2 * dilations.size() * groups; }
  /// Two figures for each kernel.
  std::size_t columns() const noexcept { return 2 * group_count() * hydra_kernels; }
  std::size_t group_number(std::size_t dilation, bool difference,
                           std::size_t group) const noexcept {
    return (2 * dilation + (difference ? 1 : 0)) * groups + group;
  }
  std::span<const float> weights_of(std::size_t number) const {
    return std::span(weights).subspan(number * hydra_taps * hydra_kernels,
                                      hydra_taps * hydra_kernels);
  }
  std::span<const std::uint32_t> channels_of(std::size_t number) const {
    return std::span(channel_choices).subspan(number * channels_each, channels_each);
  }
};

/// A bank for series of `steps` steps, 9 or more, without weights: dilations are the powers of 2 up
/// to (steps - 1) / 8. With several channels a group adds up half of them, but 2 to 8.
HydraBank hydra_layout(std::size_t steps, std::size_t channels, std::size_t groups);

/// Draws the channels and the weights, normally distributed, then minus a kernel's mean, then
/// divided by the sum of its absolute values.
void draw_hydra_weights(HydraBank& bank, Random& random);

}  // namespace semblance::series
