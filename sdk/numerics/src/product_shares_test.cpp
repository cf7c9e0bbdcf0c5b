// SPDX-License-Identifier: MIT
#include "semblance_numerics/product_shares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace product_shares_test {

using namespace semblance::numerics;

namespace {

/// The definition: the mean gain of a player over all orders, by all subsets of the others.
std::vector<double> by_subsets(const std::vector<double>& present,
                               const std::vector<double>& absent) {
  const std::size_t d = present.size();
  std::vector<double> shares(d);
  for (std::size_t set = 0; set < std::size_t{1} << d; ++set) {
    double value = 1, size = 0;
    for (std::size_t k = 0; k < d; ++k) {
      value *= set >> k & 1 ? present[k] : absent[k];
      size += static_cast<double>(set >> k & 1);
    }
    const auto count = static_cast<double>(d);
    for (std::size_t j = 0; j < d; ++j) {
      const bool in = set >> j & 1;
      const double others = in ? size - 1 : size;
      const double weight =
          std::exp(std::lgamma(others + 1) + std::lgamma(count - others) - std::lgamma(count + 1));
      shares[j] += in ? weight * value : -weight * value;
    }
  }
  return shares;
}

struct Game {
  std::vector<double> present, absent;
};

Game random_game(std::size_t players, std::mt19937& random) {
  std::exponential_distribution<double> distance(1);
  Game game;
  for (std::size_t k = 0; k < players; ++k) {
    game.present.push_back(std::exp(-distance(random)));
    game.absent.push_back(std::exp(-distance(random)));
  }
  return game;
}

std::vector<double> shares_of(const Game& game, double weight = 1) {
  const ProductShares products(game.present.size());
  std::vector<double> shares(game.present.size()), scratch(products.scratch());
  products.add(game.present.data(), game.absent.data(), weight, shares.data(), scratch.data());
  return shares;
}

}  // namespace

TEST_CASE("the shares of a product are those of the definition over all subsets") {
  std::mt19937 random(1);
  for (const std::size_t players : {1, 2, 3, 4, 7, 10, 13}) {
    const Game game = random_game(players, random);
    const std::vector<double> expected = by_subsets(game.present, game.absent);
    const std::vector<double> shares = shares_of(game, 3);
    for (std::size_t k = 0; k < players; ++k)
      CHECK(shares[k] == doctest::Approx(3 * expected[k]).epsilon(1e-11));
  }
}

TEST_CASE("factors of 0 and of either sign are no exception") {
  const Game game{{0, 0.5, -1, 2}, {1, 0, 0.5, -3}};
  const std::vector<double> expected = by_subsets(game.present, game.absent);
  const std::vector<double> shares = shares_of(game);
  for (std::size_t k = 0; k < shares.size(); ++k) CHECK(shares[k] == doctest::Approx(expected[k]));
}

TEST_CASE("the shares of hundreds of players add up") {
  std::mt19937 random(2);
  for (const std::size_t players : {30, 100, 399, 784}) {
    const Game game = random_game(players, random);
    double sum = 0, most = 0, least = 1, start = 1;
    for (const double share : shares_of(game)) {
      sum += share;
      most = std::max(most, std::abs(share));
    }
    for (std::size_t k = 0; k < players; ++k) {
      least *= game.present[k];
      start *= game.absent[k];
    }
    CHECK(std::abs(sum - (least - start)) <= 1e-12 * (most * static_cast<double>(players)));
  }
}

}  // namespace product_shares_test
