// SPDX-License-Identifier: MIT
#include "active_variables.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::numerics {

ActiveVariables::ActiveVariables(std::size_t variables) : list_(variables) {
  std::iota(list_.begin(), list_.end(), 0U);
}

bool ActiveVariables::shrink(const std::function<bool(std::uint32_t)>& satisfied,
                             std::span<const double> values, std::span<const double> gradients) {
  if (left_.size() == most_times) return false;
  std::vector<std::uint32_t> stay, leave;
  for (const std::uint32_t i : list_) {
    (satisfied(i) ? leave : stay).push_back(i);
    if (stay.size() > list_.size() / keep_one_in) return false;
  }
  list_ = std::move(stay);
  left_.push_back(
      {std::move(leave), {values.begin(), values.end()}, {gradients.begin(), gradients.end()}});
  return true;
}

bool ActiveVariables::leave(std::vector<Left> left) {
  const std::size_t variables = list_.size();
  std::vector<char> stays(variables, 1);
  for (const Left& group : left) {
    if (group.values.size() != variables || group.gradients.size() != variables) return false;
    for (const std::uint32_t i : group.variables)
      if (i >= variables || !std::exchange(stays[i], 0)) return false;
  }
  std::erase_if(list_, [&](std::uint32_t i) { return !stays[i]; });
  left_ = std::move(left);
  return true;
}

std::vector<ActiveVariables::Left> ActiveVariables::restore() {
  for (const Left& left : left_)
    list_.insert(list_.end(), left.variables.begin(), left.variables.end());
  std::sort(list_.begin(), list_.end());
  return std::exchange(left_, {});
}

std::size_t ActiveVariables::bytes(std::size_t variables) noexcept {
  return variables * (3 * sizeof(std::uint32_t) + 2 * most_times * sizeof(double));
}

}  // namespace semblance::numerics
