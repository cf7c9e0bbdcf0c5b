// SPDX-License-Identifier: MIT
#include "problem_queues.hpp"

#include <algorithm>
#include <utility>

namespace semblance::kernel {

ProblemQueues::ProblemQueues(std::vector<double> costs, std::span<const std::size_t> open,
                             std::size_t ranks)
    : costs_(std::move(costs)), ranks_(ranks) {
  distribute(open);
}

void ProblemQueues::distribute(std::span<const std::size_t> problems) {
  double left = 0;
  for (const std::size_t p : problems) left += costs_[p];
  for (const Rank& rank : ranks_) left += rank.busy / 2;
  std::size_t next = 0;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& rank = ranks_[r];
    rank.problems.clear();
    rank.begun = 0;
    const double fair = left / static_cast<double>(ranks_.size() - r);
    double load = rank.busy / 2;
    const bool last = r + 1 == ranks_.size();
    for (; next < problems.size(); ++next) {
      const double cost = costs_[problems[next]];
      if (!last && load + cost / 2 > fair) break;
      rank.problems.push_back(problems[next]);
      load += cost;
    }
    left -= load;
  }
}

void ProblemQueues::record(std::size_t rank, std::size_t count, std::span<const std::size_t> done) {
  Rank& from = ranks_[rank];
  for (const std::size_t p : pending(rank).first(count)) from.busy += costs_[p];
  from.begun += count;
  for (const std::size_t p : done) from.busy -= costs_[p];
}

void ProblemQueues::rebalance() {
  bool idle = false;
  std::vector<std::size_t> open;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const auto left = pending(r);
    idle = idle || left.empty();
    open.insert(open.end(), left.begin(), left.end());
  }
  if (!idle || open.empty()) return;
  std::ranges::sort(open);
  distribute(open);
}

void ProblemQueues::drop_from(std::size_t problem) {
  for (Rank& rank : ranks_) {
    const auto pending = rank.problems.begin() + static_cast<std::ptrdiff_t>(rank.begun);
    rank.problems.erase(
        std::remove_if(pending, rank.problems.end(), [&](std::size_t p) { return p >= problem; }),
        rank.problems.end());
  }
}

}  // namespace semblance::kernel
