// SPDX-License-Identifier: MIT
#include "statistics/wilcoxon.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/summary.hpp"

namespace semblance::statistics {
namespace {

/// Ranks of the magnitudes, doubled: whole numbers even where ranks are shared.
struct SignedRanks {
  std::vector<std::size_t> doubled;
  std::size_t positive = 0;  ///< doubled rank sum of the positive differences
  double tie_cubes = 0;      ///< sum of t^3 - t over groups of t ties
};

SignedRanks signed_ranks(std::vector<double> differences, double resolution) {
  std::erase_if(differences, [&](double d) { return std::abs(d) <= resolution; });
  std::ranges::sort(differences, {}, [](double d) { return std::abs(d); });
  SignedRanks ranks;
  const std::size_t n = differences.size();
  for (std::size_t first = 0, last = 0; first < n; first = last) {
    while (last < n && std::abs(differences[last]) - std::abs(differences[first]) <= resolution)
      ++last;
    const std::size_t doubled = first + 1 + last;  // mean of the ranks first + 1 ... last
    for (std::size_t i = first; i < last; ++i) {
      ranks.doubled.push_back(doubled);
      if (differences[i] > 0) ranks.positive += doubled;
    }
    const auto ties = static_cast<double>(last - first);
    ranks.tie_cubes += ties * ties * ties - ties;
  }
  return ranks;
}

double exact_p(const SignedRanks& ranks) {
  const std::size_t total =
      std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), std::size_t{0});
  // ways[s]: sign patterns whose positive doubled ranks sum to s; exact below 2^53 patterns.
  std::vector<double> ways(total + 1, 0.0);
  ways[0] = 1;
  for (const std::size_t rank : ranks.doubled)
    for (std::size_t sum = total; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  // The distribution is symmetric: the smaller tail, twice.
  const std::size_t smaller = std::min(ranks.positive, total - ranks.positive);
  const double tail =
      std::accumulate(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(smaller) + 1, 0.0);
  return std::min(1.0, 2 * std::ldexp(tail, -static_cast<int>(ranks.doubled.size())));
}

double normal_p(const SignedRanks& ranks) {
  const auto n = static_cast<double>(ranks.doubled.size());
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_cubes / 48;
  const double distance = std::abs(static_cast<double>(ranks.positive) / 2 - n * (n + 1) / 4);
  const double z = std::max(0.0, distance - 0.5) / std::sqrt(variance);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z)));
}

}  // namespace

std::optional<double> wilcoxon_signed_rank_test(std::span<const double> differences,
                                                double resolution) {
  if (differences.empty() || !all_finite(differences)) return std::nullopt;
  const SignedRanks ranks =
      signed_ranks({differences.begin(), differences.end()}, std::max(0.0, resolution));
  if (ranks.doubled.empty()) return 1.0;
  return ranks.doubled.size() <= wilcoxon_exact_limit ? exact_p(ranks) : normal_p(ranks);
}

}  // namespace semblance::statistics
