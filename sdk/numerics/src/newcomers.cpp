// SPDX-License-Identifier: MIT
#include "newcomers.hpp"

#include <algorithm>
#include <utility>

namespace semblance::numerics {
namespace {

struct Candidate {
  double rank;
  std::uint32_t number;  // of a variable, or of a slot
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank < other.rank : number < other.number;
  }
};

void keep_worst(std::vector<Candidate>& candidates, std::size_t count) {
  if (candidates.size() > count) {
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                     candidates.end());
    candidates.resize(count);
  }
  std::sort(candidates.begin(), candidates.end());
}

std::size_t most_of_a_side(std::size_t slots) { return std::max<std::size_t>(slots / 8, 1); }

}  // namespace

std::vector<std::uint32_t> first_choice(const DualProblem& problem, std::size_t slots) {
  std::vector<std::uint32_t> positive, negative, chosen;
  for (std::uint32_t i = 0; i < problem.size(); ++i)
    (problem.labels[i] > 0 ? positive : negative).push_back(i);
  for (const auto* side : {&positive, &negative}) {
    const std::size_t count = std::min(most_of_a_side(slots), side->size());
    for (std::size_t k = 0; k < count; ++k) chosen.push_back((*side)[k * side->size() / count]);
  }
  if (chosen.size() > slots) chosen.resize(slots);
  return chosen;
}

std::vector<std::uint32_t> newcomers(const DualPoint& point, const ActiveVariables& active,
                                     const Members& members, const Violation& worst) {
  std::vector<Candidate> growing, shrinking;
  for (const std::uint32_t i : active.list()) {
    if (members.has(i)) continue;
    const double f = point.gradients[i];
    if (point.may_grow(i) && f < worst.most) growing.push_back({f, i});
    if (point.may_shrink(i) && f > worst.least) shrinking.push_back({-f, i});
  }
  keep_worst(growing, most_of_a_side(members.slots()));
  keep_worst(shrinking, most_of_a_side(members.slots()));
  std::vector<std::uint32_t> chosen;
  const auto add = [&](std::uint32_t i) {  // a free variable may be on both sides
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  };
  for (std::size_t k = 0; k < std::max(growing.size(), shrinking.size()); ++k) {
    if (k < growing.size()) add(growing[k].number);
    if (k < shrinking.size()) add(shrinking[k].number);
  }
  return chosen;
}

std::vector<std::size_t> free_slots(const DualPoint& point, const Members& members,
                                    const Violation& worst, std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Candidate> slots;
  bool least_stays = false, most_stays = false;
  for (std::uint32_t s = 0; s < members.slots(); ++s) {
    const std::uint32_t i = members.variable(s);
    if (i == Members::nobody) {
      slots.push_back({-infinity, s});
      continue;
    }
    const double f = point.gradients[i];
    const bool grows = point.may_grow(i), shrinks = point.may_shrink(i);
    if (grows && f == worst.least && !std::exchange(least_stays, true)) continue;
    if (shrinks && f == worst.most && !std::exchange(most_stays, true)) continue;
    const double slack = grows && shrinks ? -infinity : grows ? f - worst.most : worst.least - f;
    // Satisfied variables at a bound come before all that may still move, and those by age.
    slots.push_back({slack > 0 ? -slack : static_cast<double>(members.since(s) + 1), s});
  }
  std::sort(slots.begin(), slots.end());
  std::vector<std::size_t> freed;
  for (std::size_t k = 0; k < std::min(count, slots.size()); ++k) freed.push_back(slots[k].number);
  return freed;
}

}  // namespace semblance::numerics
