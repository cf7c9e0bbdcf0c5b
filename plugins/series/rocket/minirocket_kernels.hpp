// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::series {

/// One series: `steps` times `channels` values, those of one step next to each other.
struct SeriesView {
  std::span<const float> values;
  std::size_t channels = 1;

  std::size_t steps() const noexcept { return values.size() / channels; }
};

/// The kernels of MiniRocket: length 9, the weight 2 at three places and -1 at the six others.
inline constexpr std::size_t rocket_kernel_length = 9;
inline constexpr std::size_t rocket_kernel_count = 84;
/// The three places of each kernel, in lexicographic order.
const std::array<std::array<std::uint8_t, 3>, rocket_kernel_count>& rocket_kernels();

/// Dilated kernels with biases. A *combination* is a dilation and a kernel, numbered dilation * 84
/// + kernel; its number of biases depends on its dilation.
struct RocketBank {
  std::size_t channels = 1;                  ///< of the series
  std::vector<std::uint32_t> dilations;      ///< ascending
  std::vector<std::uint32_t> biases_each;    ///< one a dilation: biases of each of its kernels
  std::vector<float> biases;                 ///< of all combinations, one after the other
  std::vector<std::uint32_t> subset_starts;  ///< one a combination, and the end of the last
  std::vector<std::uint32_t> subsets;        ///< the channels that a combination adds up, ascending

  std::size_t combinations() const noexcept { return dilations.size() * rocket_kernel_count; }
  std::span<const std::uint32_t> subset(std::size_t combination) const {
    return std::span(subsets).subspan(subset_starts[combination],
                                      subset_starts[combination + 1] - subset_starts[combination]);
  }

  /// Whether a combination uses only the positions without padding, where the whole kernel is
  /// inside of the series: every second one does.
  static bool inside_only(std::size_t dilation, std::size_t kernel) noexcept {
    return (dilation + kernel) % 2 == 1;
  }
};

/// Computes the dilations for series of `steps` steps, and the number of biases per kernel for
/// each: `biases_per_kernel` values 2^e, e evenly spaced from 0 to log2((steps - 1) / 8), rounded
/// down; at most 32 of them; equal ones are merged and their numbers added. Fills `dilations` and
/// `biases_each`. `steps` must be 9 or more.
void choose_dilations(std::size_t steps, std::size_t biases_per_kernel, RocketBank& bank);

/// The training data of a bank.
struct RocketTraining {
  std::size_t count = 0;    ///< series
  std::size_t longest = 0;  ///< steps of the longest one
  std::size_t channels = 1;
  /// The values of a series; called from several threads.
  std::function<std::vector<float>(std::size_t)> series;
};

/// Draws for each combination one series and a subset of channels, and takes its biases from the
/// quantiles of that series' convolution, at the levels k * golden ratio mod 1, k = 1, 2, ...
RocketBank learn_bank(const RocketTraining& training, std::size_t biases_per_kernel, Random& random,
                      Context& context);

/// The convolution of a series with one combination, with zeros around the series: one value per
/// step. Summed in the order of the features, so it has the same bits.
std::vector<float> convolve(const SeriesView& series, std::size_t dilation, std::size_t kernel,
                            std::span<const std::uint32_t> channels);

}  // namespace semblance::series
