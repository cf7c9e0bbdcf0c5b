// SPDX-License-Identifier: MIT
#include "own_columns.hpp"

#include <algorithm>
#include <functional>

namespace semblance::kernel {

OwnColumns::OwnColumns(const ClassProblems& problems, std::size_t rank)
    : starts_(problems.starts), most_(problems.classes()), most_of_all_(problems.starts.back()) {
  for (std::size_t c = 0; c < most_.size(); ++c) most_[c] = of(c).count;
  if (!problems.source.collective()) return;
  const std::vector<std::uint32_t>& owners = problems.owners;
  const std::size_t ranks = std::max<std::size_t>(rank, std::ranges::max(owners)) + 1;
  std::vector<std::size_t> of_ranks(ranks);
  std::ranges::fill(starts_, 0);
  for (std::size_t c = 0; c < most_.size(); ++c) {
    const numerics::Range rows = problems.rows(c);
    std::vector<std::size_t> counts(ranks);
    for (std::size_t i = rows.first; i < rows.first + rows.count; ++i) ++counts[owners[i]];
    most_[c] = std::ranges::max(counts);
    starts_[c + 1] = starts_[c] + counts[rank];
    std::ranges::transform(of_ranks, counts, of_ranks.begin(), std::plus<>());
  }
  most_of_all_ = std::ranges::max(of_ranks);
}

std::size_t OwnColumns::most_of_problem(bool pairs) const {
  if (!pairs) return most_of_all_;
  std::vector<std::size_t> sorted = most_;
  std::ranges::sort(sorted, std::greater<>());
  return sorted[0] + sorted[1];
}

}  // namespace semblance::kernel
