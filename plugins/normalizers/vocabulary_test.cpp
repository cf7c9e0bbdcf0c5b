// SPDX-License-Identifier: MIT
#include "vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "normalizer_testing.hpp"

namespace vocabulary_test {

using namespace semblance;
using namespace semblance::normalizers;
using namespace semblance::testing;

namespace {

/// Points around three corners, in turns.
FloatMatrix clusters(std::size_t rows) {
  const float corners[3][2] = {{0, 0}, {10, 0}, {0, 10}};
  FloatMatrix points(rows, 2);
  Random random(2);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      points.view().row(i)[k] = corners[i % 3][k] + static_cast<float>(0.5 * random.normal());
  return points;
}

FloatMatrix normal_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  FloatMatrix m(rows, cols);
  Random random(seed);
  for (float& x : m.values) x = static_cast<float>(random.normal());
  return m;
}

double squared_distance(const float* a, const float* b, std::size_t cols) {
  double sum = 0;
  for (std::size_t k = 0; k < cols; ++k) sum += std::pow(double(a[k]) - b[k], 2);
  return sum;
}

}  // namespace

TEST_CASE("k-means finds the means of clusters that are apart, from any start") {
  const FloatMatrix points = clusters(900);
  double mean[3][2] = {};
  for (std::size_t i = 0; i < 900; ++i)
    for (std::size_t k = 0; k < 2; ++k) mean[i % 3][k] += points.view().row(i)[k] / 300.0;
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TestContext context;
    const auto words = Vocabulary::learn(points.view(), 3, 100, Random(seed), context);
    std::set<std::size_t> matched;
    for (std::size_t w = 0; w < 3; ++w)
      for (std::size_t c = 0; c < 3; ++c) {
        const float* word = words.words().view().row(w);
        if (std::hypot(word[0] - mean[c][0], word[1] - mean[c][1]) < 1e-3) matched.insert(c);
      }
    exact += matched.size() == 3;
  }
  CHECK(exact >= 10);  // Lloyd's algorithm may stop elsewhere when it starts in two corners only
}

TEST_CASE("at the end every word is the mean of the rows that are nearest to it") {
  const FloatMatrix points = normal_rows(1000, 8, 3);
  TestContext context;
  const auto words = Vocabulary::learn(points.view(), 20, 10000, Random(1), context);
  std::vector<std::uint32_t> nearest(1000);
  words.nearest(points.view(), 1, nearest);
  for (std::size_t w = 0; w < 20; ++w) {
    std::vector<double> mean(8);
    double count = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      if (nearest[i] != w) continue;
      ++count;
      for (std::size_t k = 0; k < 8; ++k) mean[k] += points.view().row(i)[k];
    }
    REQUIRE(count > 0);
    for (std::size_t k = 0; k < 8; ++k)
      CHECK(words.words().view().row(w)[k] == doctest::Approx(mean[k] / count).epsilon(1e-5));
  }
}

TEST_CASE("the nearest words, nearest first") {
  const FloatMatrix points = normal_rows(500, 30, 4);
  const Vocabulary words(normal_rows(77, 30, 5));
  std::vector<std::uint32_t> nearest(500 * 6);
  words.nearest(points.view(), 6, nearest);
  for (std::size_t i = 0; i < 500; ++i) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t w = 0; w < 77; ++w)
      all.emplace_back(squared_distance(points.view().row(i), words.words().view().row(w), 30), w);
    std::sort(all.begin(), all.end());
    for (std::size_t k = 0; k < 6; ++k) {
      const double found =
          squared_distance(points.view().row(i), words.words().view().row(nearest[i * 6 + k]), 30);
      CHECK(found == doctest::Approx(all[k].first).epsilon(1e-4));
    }
  }
  // Two words alike: the first one.
  FloatMatrix twins(3, 1);
  twins.values = {5, 1, 1};
  std::vector<std::uint32_t> two(2);
  Vocabulary(twins).nearest(FloatMatrix(1, 1).view(), 2, two);
  CHECK(two == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("words without rows move to rows that are far from theirs") {
  // Most rows are equal: most words that are drawn are, too, and all but the first lose all rows.
  FloatMatrix points(100, 1);
  for (std::size_t i = 90; i < 100; ++i) points.values[i] = static_cast<float>(i);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TestContext context;
    const auto words = Vocabulary::learn(points.view(), 11, 100, Random(seed), context);
    std::set<float> values(words.words().values.begin(), words.words().values.end());
    CHECK(values.size() == 11);
  }
}

TEST_CASE("a vocabulary has the same bits on any number of threads") {
  const FloatMatrix points = normal_rows(1500, 16, 6);
  TestContext one(1), four(4);
  const auto a = Vocabulary::learn(points.view(), 50, 30, Random(1), one);
  const auto b = Vocabulary::learn(points.view(), 50, 30, Random(1), four);
  CHECK(a.words().values == b.words().values);
  const auto c = Vocabulary::learn(points.view(), 50, 30, Random(2), four);
  CHECK(a.words().values != c.words().values);
}

TEST_CASE("too few descriptors, and a stop request") {
  const FloatMatrix points = normal_rows(30, 4, 7);
  TestContext context;
  CHECK_THROWS_WITH_AS(
      Vocabulary::learn(points.view(), 31, 5, Random(1), context),
      doctest::Contains("30 descriptors are too few for 31 words; use fewer words, a "
                        "larger sample or more training rows"),
      Error);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(Vocabulary::learn(points.view(), 3, 5, Random(1), context), Cancelled);
}

TEST_CASE("the nearest words do not depend on where words and descriptors are") {
  FloatMatrix points = normal_rows(200, 8, 7);
  for (float& x : points.values) x = std::round(64 * x) / 64;  // exact when they are moved
  for (const float shift : {1e3F, 1e5F}) {
    FloatMatrix moved = points;
    for (float& x : moved.values) x += shift;
    const Vocabulary words(FloatMatrix(moved.view().rows_range(0, 40)));
    std::vector<std::uint32_t> nearest(200 * 3);
    words.nearest(moved.view(), 3, nearest);
    for (std::size_t i = 0; i < 200; ++i) {
      std::vector<std::pair<double, std::uint32_t>> wanted;
      for (std::uint32_t w = 0; w < 40; ++w)
        wanted.emplace_back(squared_distance(points.view().row(i), points.view().row(w), 8), w);
      std::sort(wanted.begin(), wanted.end());
      for (std::size_t n = 0; n < 3; ++n) CHECK(nearest[3 * i + n] == wanted[n].second);
    }
  }
}

}  // namespace vocabulary_test
