// SPDX-License-Identifier: MIT
#include "active_set.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::numerics {

ActiveSet::ActiveSet(const LocalVariables& local) : local_(local), list_(local.count()) {
  std::iota(list_.begin(), list_.end(), 0U);
}

bool ActiveSet::shrink(const std::function<bool(std::uint32_t)>& satisfied,
                       std::span<const double> values, std::span<const double> gradients) {
  if (shrunk_.size() == most_times) return false;
  std::vector<std::uint32_t> stay, leave;
  for (const std::uint32_t index : list_) (satisfied(index) ? leave : stay).push_back(index);
  std::size_t staying = 0, all = 0;
  const std::vector<std::size_t> counts = local_.by_rank(std::vector{stay.size(), list_.size()});
  for (std::size_t k = 0; k < counts.size(); k += 2) {
    staying += counts[k];
    all += counts[k + 1];
  }
  if (staying > all / keep_one_in) return false;
  list_ = std::move(stay);
  shrunk_.push_back(
      {std::move(leave), {values.begin(), values.end()}, {gradients.begin(), gradients.end()}});
  return true;
}

std::vector<DualState::Shrunk> ActiveSet::shrunk() const {
  std::vector<DualState::Shrunk> all;
  all.reserve(shrunk_.size());
  for (const Shrunk& shrunk : shrunk_) {
    std::vector<std::uint32_t> variables;
    variables.reserve(shrunk.indices.size());
    for (const std::uint32_t index : shrunk.indices) variables.push_back(local_[index]);
    variables = local_.by_rank(std::move(variables));
    std::ranges::sort(variables);
    all.push_back({std::move(variables), shrunk.values, local_.gather_all(shrunk.gradients)});
  }
  return all;
}

bool ActiveSet::restore(const std::vector<DualState::Shrunk>& shrunk) {
  const std::size_t variables = local_.variables();
  std::vector<char> stays(variables, 1);
  for (const DualState::Shrunk& group : shrunk) {
    if (group.values.size() != variables || group.gradients.size() != variables) return false;
    for (const std::uint32_t i : group.variables)
      if (i >= variables || !std::exchange(stays[i], 0)) return false;
  }
  for (const DualState::Shrunk& group : shrunk) {
    Shrunk& here = shrunk_.emplace_back();
    here.values = group.values;
    for (const std::uint32_t i : group.variables)
      if (local_.has(i)) here.indices.push_back(static_cast<std::uint32_t>(local_.local_index(i)));
    for (const std::uint32_t i : local_.list()) here.gradients.push_back(group.gradients[i]);
  }
  std::erase_if(list_, [&](std::uint32_t index) { return !stays[local_[index]]; });
  return true;
}

std::vector<ActiveSet::Shrunk> ActiveSet::unshrink() {
  for (const Shrunk& shrunk : shrunk_)
    list_.insert(list_.end(), shrunk.indices.begin(), shrunk.indices.end());
  std::sort(list_.begin(), list_.end());
  return std::exchange(shrunk_, {});
}

std::size_t ActiveSet::bytes(std::size_t variables) noexcept {
  return variables * (3 * sizeof(std::uint32_t) + 2 * most_times * sizeof(double));
}

}  // namespace semblance::numerics
