// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "outlook.hpp"

namespace semblance::numerics {

/// A variable that enters a working set, and its gradient.
struct Newcomer {
  std::uint32_t variable;
  double gradient;
};

/// The first working set, at zero, when nothing is known yet: variables of both labels, evenly
/// spread.
std::vector<Newcomer> first_choice(const DualPoint& point, std::size_t slots);

/// The worst violators that are not in the working set, the worst first: an eighth of the set each
/// of variables that may grow and that may shrink.
std::vector<Newcomer> newcomers(const Outlook& outlook);

/// Slots for `count` newcomers: empty ones, then those of variables at a bound, the most satisfied
/// first, then the oldest. The most violating pair stays.
std::vector<std::size_t> free_slots(const DualPoint& point, const Members& members,
                                    const Outlook& outlook, std::size_t count);

}  // namespace semblance::numerics
