// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/explain/shares.hpp"
#include "semblance/random.hpp"

namespace semblance {
namespace {

/// The orders for one sample of the background.
std::vector<Joining> random_orders(std::size_t players, std::size_t background, std::size_t pairs,
                                   std::uint64_t seed) {
  Random random = Random::stream(seed, background);
  std::vector<Joining> orders;
  for (std::size_t p = 0; p < pairs; ++p) {
    Joining joining{std::vector<std::size_t>(players), background};
    std::iota(joining.order.begin(), joining.order.end(), std::size_t{0});
    random.shuffle(std::span(joining.order));
    orders.push_back(joining);
    std::ranges::reverse(joining.order);
    orders.push_back(std::move(joining));
  }
  return orders;
}

}  // namespace

SampledShares sampled_shares(std::size_t players, std::size_t backgrounds, std::size_t least,
                             std::uint64_t seed, const JoiningValues& values) {
  const std::size_t pairs =
      std::max<std::size_t>((least + backgrounds - 1) / backgrounds, 2);  // per background
  const auto count = static_cast<double>(pairs), all = static_cast<double>(backgrounds);
  SampledShares made{std::vector<double>(players), std::vector<double>(players)};
  for (std::size_t b = 0; b < backgrounds; ++b) {
    const std::vector<Joining> orders = random_orders(players, b, pairs, seed);
    const std::vector<std::vector<double>> found = values(orders);
    std::vector<double> sums(players), squares(players);
    for (std::size_t p = 0; p < pairs; ++p) {
      std::vector<double> gains(players);
      for (std::size_t o = 2 * p; o < 2 * p + 2; ++o)
        for (std::size_t k = 0; k < players; ++k)
          gains[orders[o].order[k]] += (found[o][k + 1] - found[o][k]) / 2;
      for (std::size_t k = 0; k < players; ++k) {
        sums[k] += gains[k];
        squares[k] += gains[k] * gains[k];
      }
    }
    made.expected += found.front().front() / all;
    // The background is given: only the orders are random, and vary about their mean for each of
    // its samples.
    for (std::size_t k = 0; k < players; ++k) {
      const double mean = sums[k] / count;
      made.shares[k] += mean / all;
      made.errors[k] += std::max(0.0, squares[k] / count - mean * mean) / (count - 1) / (all * all);
    }
  }
  for (double& error : made.errors) error = std::sqrt(error);
  return made;
}

}  // namespace semblance
