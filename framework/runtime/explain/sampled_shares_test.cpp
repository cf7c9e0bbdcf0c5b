// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "runtime/explain/shares.hpp"

namespace sampled_shares_test {

using namespace semblance;

namespace {

/// A game of five players with a different value without them for each sample of the background:
/// max over present players of their number, and a product of the first two.
double value_of(const std::vector<char>& present, std::size_t background) {
  double most = static_cast<double>(background);
  for (std::size_t k = 0; k < present.size(); ++k)
    if (present[k]) most = std::max(most, static_cast<double>(k));
  return most + (present[0] && present[1] ? 3 : 0);
}

std::vector<std::vector<double>> values_of(std::span<const Joining> joining) {
  std::vector<std::vector<double>> found;
  for (const Joining& each : joining) {
    std::vector<char> present(each.order.size());
    found.push_back({value_of(present, each.background)});
    for (const std::size_t player : each.order) {
      present[player] = 1;
      found.back().push_back(value_of(present, each.background));
    }
  }
  return found;
}

/// The definition, by all orders.
std::vector<double> by_all_orders(std::size_t players, std::size_t backgrounds) {
  std::vector<double> shares(players);
  std::vector<std::size_t> order(players);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double count = 0;
  do {
    for (std::size_t b = 0; b < backgrounds; ++b, ++count) {
      const std::vector<Joining> joining{{order, b}};
      const auto values = values_of(joining).front();
      for (std::size_t k = 0; k < players; ++k) shares[order[k]] += values[k + 1] - values[k];
    }
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& share : shares) share /= count;
  return shares;
}

}  // namespace

TEST_CASE("sampled shares add up, and are near those of all orders by their own error") {
  const std::vector<double> expected = by_all_orders(5, 3);
  const SampledShares found = sampled_shares(5, 3, 400, 7, values_of);
  double sum = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    sum += found.shares[k];
    CHECK(std::abs(found.shares[k] - expected[k]) <= 4 * found.errors[k] + 1e-12);
    CHECK(found.errors[k] < 0.1);
  }
  CHECK(found.expected == doctest::Approx(1));
  CHECK(sum == doctest::Approx(7 - found.expected));
}

TEST_CASE("sampled shares depend on the seed only, and a game without effects has no error") {
  const SampledShares one = sampled_shares(4, 2, 10, 1, values_of);
  CHECK(one.shares == sampled_shares(4, 2, 10, 1, values_of).shares);
  CHECK(one.shares != sampled_shares(4, 2, 10, 2, values_of).shares);
  const auto same = [](std::span<const Joining> joining) {
    return std::vector<std::vector<double>>(joining.size(), std::vector<double>(4, 2.5));
  };
  const SampledShares none = sampled_shares(3, 1, 10, 1, same);
  CHECK(none.shares == std::vector<double>(3));
  CHECK(none.errors == std::vector<double>(3));
  CHECK(none.expected == 2.5);
}

}  // namespace sampled_shares_test
