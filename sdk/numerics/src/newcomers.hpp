// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "members.hpp"

namespace semblance::numerics {

/// Who enters a working set first, when nothing is known yet: variables of both labels, evenly
/// spread.
std::vector<std::uint32_t> first_choice(const DualProblem& problem, std::size_t slots);

/// The worst violators that are not in the working set, the worst first: as many of those that may
/// grow as of those that may shrink, an eighth of the set each.
std::vector<std::uint32_t> newcomers(const DualPoint& point, const ActiveVariables& active,
                                     const Members& members, const Violation& worst);

/// Slots for `count` newcomers: empty ones, then those of variables at a bound, the most satisfied
/// first, then the oldest. The most violating pair stays.
std::vector<std::size_t> free_slots(const DualPoint& point, const Members& members,
                                    const Violation& worst, std::size_t count);

}  // namespace semblance::numerics
