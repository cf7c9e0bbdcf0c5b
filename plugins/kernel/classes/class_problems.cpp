// SPDX-License-Identifier: MIT
#include "classes/class_problems.hpp"

#include <algorithm>

namespace semblance::kernel {

std::array<numerics::Range, 2> ClassProblems::parts(std::size_t problem) const {
  if (!divided()) return {numerics::Range{0, starts_.back()}, numerics::Range{}};
  return {rows(pairs_[problem].first), rows(pairs_[problem].second)};
}

DualTask::Variable ClassProblems::variable(std::size_t problem, std::size_t i) const {
  const std::size_t at = place(problem, i);
  const int label = positive(problem, at) ? 1 : -1;
  return {label, costs[at], static_cast<double>(label)};
}

std::size_t ClassProblems::class_of(std::size_t place) const {
  const auto after = std::ranges::upper_bound(starts_, place);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

std::optional<std::size_t> ClassProblems::variable_of(std::size_t problem,
                                                      std::size_t place) const {
  const auto [first, second] = parts(problem);
  if (place - first.first < first.count) return place - first.first;
  if (place - second.first < second.count) return first.count + (place - second.first);
  return {};
}

bool ClassProblems::positive(std::size_t problem, std::size_t place) const {
  const numerics::Range range = rows(pairs_[problem].first);
  return place - range.first < range.count;
}

bool ClassProblems::trains(std::size_t c) const {
  const numerics::Range range = rows(static_cast<std::int32_t>(c));
  return std::ranges::any_of(std::span(costs).subspan(range.first, range.count),
                             [](double cost) { return cost > 0; });
}

bool ClassProblems::trains_side(std::size_t problem, bool positive) const {
  const Opposed& pair = pairs_[problem];
  if (positive) return trains(static_cast<std::size_t>(pair.first));
  if (pair.second != Opposed::rest) return trains(static_cast<std::size_t>(pair.second));
  for (std::size_t c = 0; c < classes(); ++c)
    if (c != static_cast<std::size_t>(pair.first) && trains(c)) return true;
  return false;
}

std::optional<double> ClassProblems::only_side(std::size_t problem) const {
  if (!trains_side(problem, true)) return -1;
  return trains_side(problem, false) ? std::nullopt : std::optional(1.0);
}

}  // namespace semblance::kernel
