// SPDX-License-Identifier: MIT
#include "training/pair_shares.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <set>

#include "semblance/collectives_testing.hpp"

namespace pair_shares_test {

using namespace semblance;
using namespace semblance::pairs;
using namespace semblance::testing;

namespace {

/// The numbers of pairs per block for all pairs of a number of examples.
std::vector<std::size_t> triangle(std::size_t examples) {
  std::vector<std::size_t> pairs(PairShares::block_count(examples));
  for (std::size_t i = 0; i < examples; ++i) pairs[i / PairShares::block_size] += examples - i;
  return pairs;
}

PairShares shares_of(std::size_t examples, const Collectives& ranks) {
  return {examples, triangle(examples), ranks.rank(), ranks.ranks()};
}

/// A distinct value for each place.
double value_at(std::size_t row, std::size_t column) {
  return 0.1 * static_cast<double>(row) + 1e4 * static_cast<double>(column);
}

}  // namespace

TEST_CASE("every block belongs to one rank, and of all pairs ranks have about as many") {
  for (const std::size_t examples : {1U, 64U, 65U, 700U, 3001U, 10000U})
    for (const std::size_t ranks : {1U, 2U, 3U, 4U, 7U, 8U}) {
      CAPTURE(examples);
      CAPTURE(ranks);
      const auto pairs = triangle(examples);
      std::set<std::size_t> seen;
      std::size_t rows = 0, most = 0;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const PairShares shares(examples, pairs, rank, ranks);
        std::size_t own = 0;
        for (const std::size_t b : shares.own()) {
          CHECK(shares.has(b));
          CHECK(seen.insert(b).second);
          own += pairs[b];
        }
        rows += shares.own_rows();
        most = std::max(most, own);
      }
      CHECK(seen.size() == PairShares::block_count(examples));
      CHECK(rows == examples);
      const std::size_t all = std::accumulate(pairs.begin(), pairs.end(), std::size_t{0});
      if (examples == 10000) CHECK(most * ranks * 10 < all * 12);
    }
}

TEST_CASE("rows of blocks, values of blocks and rows shared out evenly come to all ranks") {
  // With the widest rows a rank sends one block at a time.
  for (const std::size_t width : {1U, 37U, 40000U})
    for (const std::size_t examples : {50U, 200U, 777U}) {
      if (width == 40000 && examples > 300) continue;
      std::atomic<std::size_t> right = 0;
      on_ranks(3, [&](RankContext& context) {
        const PairShares shares = shares_of(examples, context.collectives());
        std::vector<double> own(shares.own_rows() * width), all(examples * width);
        std::vector<std::size_t> numbers;
        for (const std::size_t b : shares.own()) {
          numbers.push_back(10 * b);
          for (std::size_t i = shares.first(b); i < shares.end(b); ++i)
            for (std::size_t k = 0; k < width; ++k)
              own[(shares.own_row(b) + i - shares.first(b)) * width + k] = value_at(i, k);
        }
        shares.spread<double>([&](std::size_t b) { return own.data() + shares.own_row(b) * width; },
                              width, all.data(), context);
        std::vector<double> tiled(examples * width);
        PairShares::even(examples, context.collectives())
            .compute_rows(tiled.data(), width, context, [&](std::size_t first, std::size_t count) {
              for (std::size_t i = first; i < first + count; ++i)
                for (std::size_t k = 0; k < width; ++k) tiled[i * width + k] = value_at(i, k);
            });
        bool same = true;
        for (std::size_t i = 0; i < examples; ++i)
          for (std::size_t k = 0; k < width; ++k)
            same = same && all[i * width + k] == value_at(i, k) &&
                   tiled[i * width + k] == value_at(i, k);
        const auto of_blocks = shares.of_all_blocks(numbers, context);
        for (std::size_t b = 0; b < shares.blocks(); ++b) same = same && of_blocks[b] == 10 * b;
        right += same;
      });
      CHECK(right == 3);
    }
}

TEST_CASE("sums over blocks have the same bits with any number of ranks") {
  for (const std::size_t examples : {50U, 900U, 5000U}) {
    const auto sum = [&](Context& context) {
      const PairShares shares = shares_of(examples, context.collectives());
      std::vector<double> own, total(examples);
      for (const std::size_t b : shares.own())
        for (std::size_t i = 0; i < examples; ++i)
          own.push_back(1.0 / static_cast<double>(1 + b * examples + i));
      shares.add_up(own, total, context);
      return total;
    };
    TestContext alone;
    const std::vector<double> expected = sum(alone);
    double exact = 0;
    for (std::size_t b = 0; b < PairShares::block_count(examples); ++b)
      exact += 1.0 / static_cast<double>(1 + b * examples + 7);
    CHECK(expected[7] == doctest::Approx(exact));
    for (const std::size_t ranks : {2U, 3U, 8U}) {
      std::atomic<std::size_t> same = 0;
      on_ranks(ranks, [&](RankContext& context) { same += sum(context) == expected; });
      CHECK(same == ranks);
    }
  }
}

}  // namespace pair_shares_test
