// SPDX-License-Identifier: MIT
#include "semblance/wanted_rows.hpp"

#include <algorithm>

namespace semblance {

WantedRows WantedRows::none() { return of({}); }

WantedRows WantedRows::of(std::vector<std::int64_t> numbers) {
  WantedRows wanted;
  wanted.all_ = false;
  auto& runs = wanted.runs_;
  std::ranges::sort(numbers);
  for (const std::int64_t number : numbers) {
    if (runs.empty() || number > runs.back().second)
      runs.emplace_back(number, number + 1);
    else
      runs.back().second = number + 1;
  }
  return wanted;
}

bool WantedRows::contains(std::int64_t number) const noexcept { return count(number, 1) > 0; }

std::size_t WantedRows::count(std::int64_t first, std::size_t count) const noexcept {
  if (all_) return count;
  const std::int64_t end = first + static_cast<std::int64_t>(count);
  auto run = std::ranges::upper_bound(runs_, first, {}, &Run::second);
  std::int64_t found = 0;
  for (; run != runs_.end() && run->first < end; ++run)
    found += std::min(run->second, end) - std::max(run->first, first);
  return static_cast<std::size_t>(found);
}

std::size_t WantedRows::size(std::size_t of_all) const noexcept {
  if (all_) return of_all;
  std::int64_t found = 0;
  for (const auto& [first, end] : runs_) found += end - first;
  return static_cast<std::size_t>(found);
}

}  // namespace semblance
