// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "matrix/sorted_samples.hpp"
#include "semblance/samples.hpp"

namespace semblance::kernel {

/// The mean of dense training samples, or of the chosen ones, in float32, if they are so far from 0
/// that inner products about the mean are more exact than about 0: if its squared length exceeds
/// the mean squared length of the centred samples. Else empty. A machine with a free bias does not
/// depend on the centre, which only moves the bias.
std::vector<float> far_centre(const TrainingSet& training, Context& context,
                              std::span<const std::uint32_t> chosen = {});

/// The values of linear functions, sum_i b_i <x_i - c, x - c> with the samples' centre c, in
/// double: float32 kernel values lose their differences if samples are far from 0 or columns have
/// very different scales. `coefficients` are functions x places, at most functions_at_once(); the
/// result too, with values at the wanted places; empty: at all.
std::vector<std::vector<double>> linear_values(const SortedSamples& samples,
                                               std::span<const std::vector<double>> coefficients,
                                               std::span<const std::uint32_t> wanted,
                                               Context& context);

/// As many functions as need little memory.
std::size_t functions_at_once(const SortedSamples& samples);

}  // namespace semblance::kernel
