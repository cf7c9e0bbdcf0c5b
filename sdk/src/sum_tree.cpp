// SPDX-License-Identifier: MIT
#include "sum_tree.hpp"

#include <algorithm>

namespace semblance {

bool SumTree::is_root(const PartSum& sum) const noexcept {
  return sum.index == 0 && (std::size_t{1} << sum.level) >= parts_;
}

bool SumTree::has_neighbour(const PartSum& sum) const noexcept {
  return sum.index % 2 == 1 || (sum.index + 1) << sum.level < parts_;
}

void SumTree::add(PartSum sum) {
  while (!is_root(sum)) {
    if (has_neighbour(sum)) {
      PartSum neighbour;
      {
        const std::lock_guard lock(mutex_);
        const auto found = waiting_.find({sum.level, sum.index ^ 1});
        if (found == waiting_.end()) {
          const Place place(sum.level, sum.index);
          waiting_.emplace(place, std::move(sum));
          return;
        }
        neighbour = std::move(found->second);
        waiting_.erase(found);
      }
      // The order of arrival does not matter: a + b is b + a.
      for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += neighbour.values[i];
    }
    ++sum.level;
    sum.index /= 2;
  }
  const std::lock_guard lock(mutex_);
  const Place place(sum.level, sum.index);
  waiting_.emplace(place, std::move(sum));
}

std::vector<PartSum> SumTree::take() {
  const std::lock_guard lock(mutex_);
  std::vector<PartSum> left;
  for (auto& [place, sum] : waiting_) left.push_back(std::move(sum));
  waiting_.clear();
  std::ranges::sort(left, {}, [](const PartSum& sum) { return sum.index << sum.level; });
  return left;
}

}  // namespace semblance
