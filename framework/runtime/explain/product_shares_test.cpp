// SPDX-License-Identifier: MIT
#include "runtime/explain/product_shares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace product_shares_test {

using namespace semblance;

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

/// Sums over games with the same present factors; absent ones have a row per game.
std::vector<double> shares_of(const Game& game, double weight = 1) {
  const std::size_t players = game.present.size();
  const ProductShares products(players);
  AbsentFactors absent(players, game.absent.size() / players);
  absent.set(game.absent);
  std::vector<double> shares(players), scratch(products.scratch());
  products.add(game.present.data(), absent, weight, shares.data(), scratch.data());
  return shares;
}

/// The definition with subsets of each size together: their number is that of players only. All
/// terms are positive where all factors are.
std::vector<double> by_sizes(const Game& game) {
  const std::size_t d = game.present.size();
  std::vector<double> shares(d);
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<long double> of_size{1};  // products, summed over the subsets of players but j
    for (std::size_t k = 0; k < d; ++k) {
      if (k == j) continue;
      of_size.push_back(0);
      for (std::size_t s = of_size.size(); s-- > 0;)
        of_size[s] = of_size[s] * game.absent[k] + (s > 0 ? of_size[s - 1] * game.present[k] : 0);
    }
    long double sum = 0, weight = 1 / static_cast<long double>(d);
    for (std::size_t s = 0; s < d; ++s) {
      sum += weight * of_size[s];
      weight *= static_cast<long double>(s + 1) / static_cast<long double>(d - 1 - s);
    }
    shares[j] = static_cast<double>((game.present[j] - game.absent[j]) * sum);
  }
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

TEST_CASE("the shares of hundreds of players are right, however much each one changes") {
  std::mt19937 random(2);
  for (const std::size_t players : {9, 16, 30, 63, 130, 301})
    for (const double change : {1e-4, 1e-2, 0.05, 0.2, 1.0, 10.0}) {
      CAPTURE(players);
      CAPTURE(change);
      Game game = random_game(players, random);
      for (double& factor : game.present) factor = std::pow(factor, change);
      for (double& factor : game.absent) factor = std::pow(factor, change);
      const std::vector<double> expected = by_sizes(game), shares = shares_of(game);
      for (std::size_t k = 0; k < players; ++k)
        CHECK(std::abs(shares[k] - expected[k]) <= 1e-12 * std::abs(expected[k]));
    }
}

TEST_CASE("a power of the node, which needs the most nodes, is integrated exactly") {
  for (const std::size_t players : {10, 31, 64}) {
    const std::vector<double> shares =
        shares_of({std::vector<double>(players, 1.0), std::vector<double>(players, 0.0)});
    for (const double share : shares)
      CHECK(share * static_cast<double>(players) == doctest::Approx(1).epsilon(1e-13));
  }
}

TEST_CASE("many players with factors of either sign") {
  Game game;
  for (int k = 0; k < 40; ++k) {
    game.present.push_back(k % 2 == 0 ? 1 : -1.01);
    game.absent.push_back(k % 3 == 0 ? 0.99 : 1);
  }
  const std::vector<double> expected = by_sizes(game), shares = shares_of(game);
  for (std::size_t k = 0; k < shares.size(); ++k)
    CHECK(shares[k] == doctest::Approx(expected[k]).epsilon(1e-10));
}

TEST_CASE("the shares in several games are the sums of those in each") {
  std::mt19937 random(3);
  for (const std::size_t players : {1, 5, 32})
    for (const std::size_t games : {1, 4, 5, 8, 9, 50}) {
      Game all = random_game(players, random);
      all.absent.clear();
      std::vector<double> expected(players);
      for (std::size_t g = 0; g < games; ++g) {
        // Some games hardly differ, others much.
        Game one = random_game(players, random);
        for (double& factor : one.absent) factor = std::pow(factor, g % 3 == 0 ? 0.01 : 3);
        one.present = all.present;
        all.absent.insert(all.absent.end(), one.absent.begin(), one.absent.end());
        const std::vector<double> own = by_sizes(one);
        for (std::size_t k = 0; k < players; ++k) expected[k] += 2 * own[k];
      }
      const std::vector<double> shares = shares_of(all, 2);
      for (std::size_t k = 0; k < players; ++k)
        CHECK(shares[k] == doctest::Approx(expected[k]).epsilon(1e-11));
    }
}

TEST_CASE("the shares in several games that hardly differ, at random or all in one direction") {
  std::mt19937 random(4);
  for (const std::size_t players : {9, 63, 300})
    for (const double change : {1e-3, 0.02, 0.19, 0.21})
      for (const bool one_direction : {false, true}) {
        CAPTURE(players);
        CAPTURE(change);
        CAPTURE(one_direction);
        std::uniform_real_distribution<double> by(one_direction ? 0.9 * change : -change, change);
        Game all{random_game(players, random).present, {}};
        std::vector<double> expected(players), magnitude(players);
        for (std::size_t g = 0; g < 11; ++g) {
          Game one{all.present, {}};
          for (const double factor : one.present) one.absent.push_back(factor * (1 - by(random)));
          all.absent.insert(all.absent.end(), one.absent.begin(), one.absent.end());
          const std::vector<double> own = by_sizes(one);
          for (std::size_t k = 0; k < players; ++k) {
            expected[k] += own[k];
            magnitude[k] += std::abs(own[k]);
          }
        }
        const std::vector<double> shares = shares_of(all);
        for (std::size_t k = 0; k < players; ++k)
          CHECK(std::abs(shares[k] - expected[k]) <= 1e-12 * magnitude[k]);
      }
}

TEST_CASE("a factor of 0 that all have makes all shares 0") {
  Game game{std::vector<double>(20, 0.9), std::vector<double>(20, 0.91)};
  game.present[7] = game.absent[7] = 0;
  for (const double share : shares_of(game)) CHECK(share == 0);
}

TEST_CASE("products that underflow have shares of 0") {
  const std::size_t players = 400;
  const Game game{std::vector<double>(players, 1e-3), std::vector<double>(players, 1e-2)};
  for (const double share : shares_of(game)) CHECK(std::abs(share) < 1e-300);
}

}  // namespace product_shares_test
