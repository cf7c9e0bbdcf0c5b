// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "dual_variables.hpp"
#include "working_set.hpp"

namespace semblance::numerics {

/// Working sets with more slots than this are solved by smaller ones: a pair step takes time in
/// proportion to the size of its set.
inline constexpr std::size_t most_slots_at_once = 2048;

/// Minimises over the variables of a large working set, all others fixed, as a dual of its own.
/// `gradients` are those in the slots. The coefficients are by slot; 0 in empty ones.
DualSolution solve_inner(const DualPoint& point, WorkingSet& set, std::span<const double> gradients,
                         const DualOptions& options, Context& context);

/// Bytes that such a set needs besides its values: solve_inner(), and the values of new members.
std::size_t inner_bytes(std::size_t slots) noexcept;

}  // namespace semblance::numerics
