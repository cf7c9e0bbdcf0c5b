// SPDX-License-Identifier: MIT
#include "steps.hpp"

#include <algorithm>
#include <numeric>

namespace semblance::calibrators {
namespace {

/// Samples of adjacent scores with a common value.
struct Pool {
  double low = 0, high = 0;  ///< their least and largest score
  double positives = 0, rows = 0;
  double mean() const noexcept { return positives / rows; }
};

/// One for each distinct score, ascending.
std::vector<Pool> distinct(const Problem& problem) {
  std::vector<std::size_t> order(problem.scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return problem.scores[i]; });
  std::vector<Pool> pools;
  for (const std::size_t i : order) {
    const double score = problem.scores[i];
    if (pools.empty() || pools.back().high != score) pools.push_back({score, score});
    pools.back().rows += problem.weights[i];
    pools.back().positives += problem.positive[i] ? problem.weights[i] : 0;
  }
  return pools;
}

}  // namespace

double Steps::at(double score) const noexcept {
  if (score <= x.front()) return y.front();
  if (score >= x.back()) return y.back();
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(x, score) - x.begin());
  const std::size_t below = above - 1;
  const double share = (score - x[below]) / (x[above] - x[below]);
  return y[below] + share * (y[above] - y[below]);
}

Steps fit_steps(const Problem& problem) {
  std::vector<Pool> pooled;
  for (Pool next : distinct(problem)) {
    while (!pooled.empty() && pooled.back().mean() >= next.mean()) {
      const Pool& before = pooled.back();
      next = {before.low, next.high, before.positives + next.positives, before.rows + next.rows};
      pooled.pop_back();
    }
    pooled.push_back(next);
  }
  Steps steps;
  for (const Pool& pool : pooled) {
    steps.x.push_back(pool.low);
    steps.y.push_back(pool.mean());
    if (pool.high == pool.low) continue;
    steps.x.push_back(pool.high);
    steps.y.push_back(pool.mean());
  }
  return steps;
}

}  // namespace semblance::calibrators
