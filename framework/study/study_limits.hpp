// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace semblance {

/// The most repeats that `seeds: N` gives.
inline constexpr std::uint64_t most_seeds = 1000;
/// The most folds of a cross-validation.
inline constexpr std::uint64_t most_folds = 1000;
/// The most numbers of a range.
inline constexpr std::uint64_t most_steps = 1000;
/// The greatest divisor of `halving`.
inline constexpr std::uint64_t most_halving = 100;
/// The value of `folds` for leave-one-out.
inline constexpr const char* leave_one_out_text = "leave_one_out";

}  // namespace semblance
