// SPDX-License-Identifier: MIT
#include "active_variables.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::numerics {

ActiveVariables::ActiveVariables(const OwnVariables& own) : own_(own), list_(own.count()) {
  std::iota(list_.begin(), list_.end(), 0U);
}

bool ActiveVariables::shrink(const std::function<bool(std::uint32_t)>& satisfied,
                             std::span<const double> values, std::span<const double> gradients) {
  if (left_.size() == most_times) return false;
  std::vector<std::uint32_t> stay, leave;
  for (const std::uint32_t place : list_) (satisfied(place) ? leave : stay).push_back(place);
  std::size_t staying = 0, all = 0;
  const std::vector<std::size_t> counts = own_.by_rank(std::vector{stay.size(), list_.size()});
  for (std::size_t k = 0; k < counts.size(); k += 2) {
    staying += counts[k];
    all += counts[k + 1];
  }
  if (staying > all / keep_one_in) return false;
  list_ = std::move(stay);
  left_.push_back(
      {std::move(leave), {values.begin(), values.end()}, {gradients.begin(), gradients.end()}});
  return true;
}

std::vector<DualCourse::Left> ActiveVariables::left() const {
  std::vector<DualCourse::Left> all;
  all.reserve(left_.size());
  for (const Left& left : left_) {
    std::vector<std::uint32_t> variables;
    variables.reserve(left.places.size());
    for (const std::uint32_t place : left.places) variables.push_back(own_[place]);
    variables = own_.by_rank(std::move(variables));
    std::ranges::sort(variables);
    all.push_back({std::move(variables), left.values, own_.of_all(left.gradients)});
  }
  return all;
}

bool ActiveVariables::leave(const std::vector<DualCourse::Left>& left) {
  const std::size_t variables = own_.variables();
  std::vector<char> stays(variables, 1);
  for (const DualCourse::Left& group : left) {
    if (group.values.size() != variables || group.gradients.size() != variables) return false;
    for (const std::uint32_t i : group.variables)
      if (i >= variables || !std::exchange(stays[i], 0)) return false;
  }
  for (const DualCourse::Left& group : left) {
    Left& here = left_.emplace_back();
    here.values = group.values;
    for (const std::uint32_t i : group.variables)
      if (own_.has(i)) here.places.push_back(static_cast<std::uint32_t>(own_.place(i)));
    for (const std::uint32_t i : own_.list()) here.gradients.push_back(group.gradients[i]);
  }
  std::erase_if(list_, [&](std::uint32_t place) { return !stays[own_[place]]; });
  return true;
}

std::vector<ActiveVariables::Left> ActiveVariables::restore() {
  for (const Left& left : left_) list_.insert(list_.end(), left.places.begin(), left.places.end());
  std::sort(list_.begin(), list_.end());
  return std::exchange(left_, {});
}

std::size_t ActiveVariables::bytes(std::size_t variables) noexcept {
  return variables * (3 * sizeof(std::uint32_t) + 2 * most_times * sizeof(double));
}

}  // namespace semblance::numerics
