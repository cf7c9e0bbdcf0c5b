// SPDX-License-Identifier: MIT
#include "newcomers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace semblance::numerics {
std::vector<Newcomer> first_choice(const DualPoint& point, std::size_t slots) {
  const DualProblem& problem = point.problem;
  std::vector<std::uint32_t> positive, negative;
  for (std::uint32_t i = 0; i < problem.size(); ++i)
    (problem.labels[i] > 0 ? positive : negative).push_back(i);
  std::vector<Newcomer> chosen;
  for (const auto* side : {&positive, &negative}) {
    const std::size_t count = std::min(most_of_a_side(slots), side->size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t i = (*side)[k * side->size() / count];
      chosen.push_back({i, point.first_gradient(i)});
    }
  }
  if (chosen.size() > slots) chosen.resize(slots);
  return chosen;
}

std::vector<Newcomer> newcomers(const Outlook& outlook) {
  const std::vector<Candidate>&growing = outlook.growing, &shrinking = outlook.shrinking;
  std::vector<Newcomer> chosen;
  const auto add = [&](const Newcomer& one) {  // a free variable may be on both sides
    const auto same = [&](const Newcomer& other) { return other.variable == one.variable; };
    if (std::ranges::none_of(chosen, same)) chosen.push_back(one);
  };
  for (std::size_t k = 0; k < std::max(growing.size(), shrinking.size()); ++k) {
    if (k < growing.size()) add({growing[k].number, growing[k].rank});
    if (k < shrinking.size()) add({shrinking[k].number, -shrinking[k].rank});
  }
  return chosen;
}

std::vector<std::size_t> free_slots(const DualPoint& point, const Members& members,
                                    const Outlook& outlook, std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Violation& worst = outlook.worst;
  std::vector<Candidate> slots;
  bool least_stays = false, most_stays = false;
  for (std::uint32_t s = 0; s < members.slots(); ++s) {
    const std::uint32_t i = members.variable(s);
    if (i == Members::nobody) {
      slots.push_back({-infinity, s});
      continue;
    }
    const double f = outlook.of_members[s];
    const bool grows = point.may_grow(i), shrinks = point.may_shrink(i);
    if (grows && f == worst.least && !std::exchange(least_stays, true)) continue;
    if (shrinks && f == worst.most && !std::exchange(most_stays, true)) continue;
    const double slack = grows && shrinks ? -infinity : grows ? f - worst.most : worst.least - f;
    // Satisfied variables at a bound come before variables that may still move, which come by age.
    slots.push_back({slack > 0 ? -slack : static_cast<double>(members.since(s) + 1), s});
  }
  std::sort(slots.begin(), slots.end());
  std::vector<std::size_t> freed;
  for (std::size_t k = 0; k < std::min(count, slots.size()); ++k) freed.push_back(slots[k].number);
  return freed;
}

}  // namespace semblance::numerics
