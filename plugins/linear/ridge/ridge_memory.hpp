// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "ridge/ridge_data.hpp"

namespace semblance::linear {

/// A Cholesky factor with a smaller pivot (DefiniteFactor::least_pivot()) may have fewer than eight
/// digits.
inline constexpr double least_sound_pivot = 1e-8;

/// A sample's error without it is divided by the share of its target that the fit leaves
/// unexplained. A smaller share, which is a difference from 1, has fewer than seven digits.
inline constexpr double least_known_share = 1e-9;

/// A fit is called optimal if no entry of its gradient is larger, in the units of
/// RidgeFit::violation.
inline constexpr double ridge_tolerance = 1e-9;

/// Refinements of a fit. Two usually suffice.
inline constexpr std::size_t most_refinements = 5;

/// Throws MemoryError with the arithmetic unless `bytes` and the scratch of `data` fit into the
/// budget. `what` are the n things whose products are needed.
void check_ridge_memory(std::size_t n, std::size_t bytes, std::string_view what,
                        const RidgeData& data, const Context& context);

/// Throws Error: the penalty is too small to be seen beside products of dependent columns.
[[noreturn]] void throw_dependent(double penalty);

}  // namespace semblance::linear
