// SPDX-License-Identifier: MIT
#include "active_set.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::numerics {

ActiveSet::ActiveSet(std::size_t variables) : list_(variables) {
  std::iota(list_.begin(), list_.end(), 0U);
}

bool ActiveSet::shrink(const std::function<bool(std::uint32_t)>& satisfied,
                       std::span<const double> values, std::span<const double> gradients) {
  if (shrunk_.size() == most_times) return false;
  std::vector<std::uint32_t> stay, leave;
  for (const std::uint32_t i : list_) (satisfied(i) ? leave : stay).push_back(i);
  if (stay.size() > list_.size() / keep_one_in) return false;
  list_ = std::move(stay);
  shrunk_.push_back(
      {std::move(leave), {values.begin(), values.end()}, {gradients.begin(), gradients.end()}});
  return true;
}

std::vector<ActiveSet::Shrunk> ActiveSet::unshrink() {
  for (const Shrunk& shrunk : shrunk_)
    list_.insert(list_.end(), shrunk.variables.begin(), shrunk.variables.end());
  std::sort(list_.begin(), list_.end());
  return std::exchange(shrunk_, {});
}

std::size_t ActiveSet::bytes(std::size_t variables) noexcept {
  return variables * (3 * sizeof(std::uint32_t) + 2 * most_times * sizeof(double));
}

}  // namespace semblance::numerics
