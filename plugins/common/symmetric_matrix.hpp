// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/context.hpp"
#include "semblance/state.hpp"

namespace semblance::common {

/// The largest difference between s(a, b) and s(b, a), as a share of the largest value, that counts
/// as the rounding of float32 sums.
inline constexpr double largest_asymmetry = 1e-5;

/// Replaces the values of a kernel between all pairs of samples by their symmetric part
/// (K + K') / 2. A machine trained on it is consistent with values that are computed for new
/// samples only where the two agree: returns a sentence with the pair that differs most, and what
/// to do, if it differs by more than largest_asymmetry; otherwise nothing. `a` and `b` stand for
/// the pair.
struct Asymmetry {
  std::size_t a = 0, b = 0;
  std::string text = {};  ///< empty: symmetric
};
Asymmetry symmetrise(FloatMatrix& matrix, Context& context);

/// The same for training samples, which `rows` counts. Throws RowError if they are not symmetric.
void symmetrise_kernel(FloatMatrix& matrix, std::span<const std::uint32_t> rows, Context& context);

}  // namespace semblance::common
