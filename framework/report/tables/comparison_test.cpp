// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "report/tables/comparison_testing.hpp"
#include "semblance/error.hpp"
#include "statistics/paired_tests.hpp"

namespace semblance::comparison_test {
namespace {

using namespace testing;

TEST_CASE("a table over six seeds: means, ranks and tests against the first method") {
  const Comparison c = compare(table({{0.10, 0.12, 0.11, 0.13, 0.10, 0.12},
                                      {0.09, 0.10, 0.08, 0.09, 0.05, 0.06},
                                      {0.10, 0.12, 0.11, 0.13, 0.10, 0.12}}));
  REQUIRE(c.standings.size() == 3);
  CHECK(c.standings[0].measured == 6);
  CHECK(c.standings[0].mean == doctest::Approx(0.68 / 6).epsilon(1e-14));
  CHECK(c.standings[1].best);
  CHECK_FALSE(c.standings[0].best);
  CHECK(*c.standings[1].difference == doctest::Approx(-0.21 / 6).epsilon(1e-13));
  CHECK_FALSE(c.standings[0].difference);
  CHECK_FALSE(c.standings[0].t.p);
  // All six differences, of different sizes, have the same sign: the smallest possible p.
  CHECK(*c.standings[1].wilcoxon.p == 2.0 / 64);
  CHECK(*c.standings[1].wilcoxon.p_holm == 4.0 / 64);
  CHECK(*c.standings[1].t.p < 0.01);
  CHECK(*c.standings[1].t.p_holm == 2 * *c.standings[1].t.p);
  CHECK(*c.standings[2].t.p == 1);
  CHECK(*c.standings[2].wilcoxon.p_holm == 1);
  CHECK_FALSE(c.standings[1].mcnemar.p);
  CHECK(*c.standings[0].average_rank == 2.5);
  CHECK(*c.standings[1].average_rank == 1);
  CHECK(c.ranked_blocks == 6);
  // All blocks agree: one of the three ways to have one first and two tied, five times again.
  CHECK(*c.friedman_p == doctest::Approx(std::pow(3.0, -5)).epsilon(1e-13));
  CHECK(*c.critical_difference == doctest::Approx(2.3437 * std::sqrt(12.0 / 36)).epsilon(1e-4));
}

TEST_CASE("a failed repeat costs its block in the ranks and in the tests of its method") {
  const Comparison c = compare(table({{0.4, 0.3, 0.5}, {0.3, 0.2, none}, {0.2, 0.4, 0.1}}));
  CHECK(c.standings[1].measured == 2);
  CHECK(c.standings[1].mean == 0.25);
  CHECK(*c.standings[1].difference == doctest::Approx(-0.1).epsilon(1e-14));
  CHECK(*c.standings[2].difference == doctest::Approx(-0.5 / 3).epsilon(1e-14));
  CHECK(c.ranked_blocks == 2);
  CHECK(*c.standings[0].average_rank == 2.5);
  CHECK(*c.standings[1].average_rank == 1.5);
  // Fewer blocks do not make a better mean.
  CHECK(c.standings[2].best);
  SUBCASE("a method that never finished does not touch the others") {
    const Comparison d = compare(table({{0.4, 0.3, 0.5}, {none, none, none}, {0.2, 0.4, 0.1}}));
    CHECK(d.ranked_blocks == 3);
    CHECK_FALSE(d.standings[1].average_rank);
    CHECK(std::isnan(d.standings[1].mean));
    CHECK_FALSE(d.standings[1].t.p);
    CHECK(*d.standings[2].t.p_holm == *d.standings[2].t.p);
  }
  SUBCASE("and a baseline that never finished leaves nothing to test against") {
    const Comparison d = compare(table({{none, none}, {0.3, 0.2}, {0.2, 0.4}}));
    CHECK_FALSE(d.standings[1].difference);
    CHECK_FALSE(d.standings[1].wilcoxon.p);
    CHECK(*d.friedman_p == doctest::Approx(1));
  }
}

TEST_CASE("blocks are pairs only where both methods have the same rows") {
  ResultTable t = table({{0.3, 0.32, 0.31, 0.35}, {0.27, 0.3, 0.3, 0.31}, {0.2, 0.22, 0.21, 0.25}});
  for (auto& m : t.methods)
    for (std::size_t b = 0; b < 4; ++b) {
      m.measurements[b].test_rows = (&m == &t.methods[2] ? "other " : "rows ") + std::to_string(b);
      m.measurements[b].drawn_from = {(&m == &t.methods[2] ? "wine " : "sonar ") +
                                      std::to_string(b)};
    }
  const Comparison c = compare(t);
  CHECK(c.standings[1].t.p);
  CHECK_FALSE(c.standings[2].difference);
  CHECK_FALSE(c.standings[2].t.p);
  CHECK_FALSE(c.standings[2].difference_reach);
  CHECK(c.standings[2].t.remark == other_test_rows);
  CHECK(c.standings[2].mean == doctest::Approx(0.22));
  // The third has no rank among the others.
  CHECK(c.ranked_blocks == 0);
  CHECK_FALSE(c.standings[0].average_rank);
  SUBCASE("a block of other rows costs its pair, as one that failed does") {
    for (std::size_t b = 0; b < 3; ++b) t.methods[2].measurements[b] = t.methods[1].measurements[b];
    const Comparison d = compare(t);
    CHECK(*d.standings[2].difference == doctest::Approx(-0.06 / 3));
    CHECK(d.ranked_blocks == 3);
  }
  SUBCASE("without test rows the data decide") {
    for (auto& m : t.methods)
      for (auto& measurement : m.measurements) measurement.test_rows.clear();
    CHECK_FALSE(compare(t).standings[2].t.p);
  }
  SUBCASE("other columns of the same rows of a file are pairs, another split is none") {
    for (auto& m : t.methods)
      for (auto& measurement : m.measurements) {
        measurement.drawn_from.emplace_back("the file");
        measurement.trained = 80;
        measurement.tested = 20;
      }
    t.methods[2].measurements[3].value = 0.24;  // differences that are all equal have no p
    CHECK(compare(t).standings[2].t.p);
    for (auto& measurement : t.methods[2].measurements) measurement.tested = 30;
    CHECK_FALSE(compare(t).standings[2].t.p);
  }
  SUBCASE("also where folds of data that are drawn anew are averaged first") {
    for (auto& m : t.methods)
      for (std::size_t b = 0; b < 4; ++b)
        m.measurements[b].drawn_from[0].back() = static_cast<char>('0' + b / 2);
    const Comparison d = compare(t);
    CHECK(d.groups == 2);
    CHECK(d.standings[2].t.remark == other_test_rows);
  }
}

/// Two methods on some blocks; `describe` sets what they were measured on.
template <typename Describe>
ResultTable two_methods(const std::vector<double>& first, const std::vector<double>& second,
                        const Describe& describe) {
  ResultTable t = table({first, second});
  for (auto& m : t.methods)
    for (std::size_t b = 0; b < m.measurements.size(); ++b) {
      m.measurements[b].trained = 200;
      m.measurements[b].tested = 100;
      describe(m.measurements[b], b);
    }
  return t;
}

const std::vector<double> first_six = {0.30, 0.32, 0.31, 0.35, 0.28, 0.33};
const std::vector<double> second_six = {0.27, 0.30, 0.30, 0.31, 0.27, 0.30};

TEST_CASE("data that are drawn anew are independent blocks") {
  const auto c = compare(two_methods(first_six, second_six, [](Measurement& m, std::size_t b) {
    m.drawn_from = {"rows " + std::to_string(b)};
    m.test_rows = "test " + std::to_string(b);
  }));
  CHECK(c.relation == BlockRelation::independent);
  CHECK(c.standings[1].t.p);
  CHECK(*c.standings[1].wilcoxon.p == 2.0 / 64);
  CHECK(c.friedman_p);
  CHECK(c.critical_difference);
}

TEST_CASE("splits of the same data get the corrected test, and none by ranks") {
  const auto split = [](Measurement& m, std::size_t b) {
    m.drawn_from = {"all rows of the file"};
    m.test_rows = "split " + std::to_string(b);
  };
  const auto c = compare(two_methods(first_six, second_six, split));
  const auto naive = compare(two_methods(first_six, second_six, [](Measurement&, std::size_t) {}));
  CHECK(c.relation == BlockRelation::overlapping);
  CHECK(naive.relation == BlockRelation::unknown);
  CHECK(*naive.standings[1].t.p < 0.01);
  CHECK(*c.standings[1].t.p > 3 * *naive.standings[1].t.p);
  CHECK_FALSE(c.standings[1].wilcoxon.p);
  CHECK_FALSE(c.friedman_p);
  CHECK_FALSE(c.critical_difference);
  CHECK(c.standings[0].average_rank);
  SUBCASE("also where only the test rows are those of another block's training") {
    // Folds in separate files: all samples together are the same.
    const auto folds =
        compare(two_methods(first_six, second_six, [](Measurement& m, std::size_t b) {
          m.drawn_from = {"all", "file " + std::to_string(b)};
          m.test_rows = "fold " + std::to_string(b);
        }));
    CHECK(folds.relation == BlockRelation::overlapping);
  }
  SUBCASE("without the sizes there is none") {
    const auto unknown =
        compare(two_methods(first_six, second_six, [&](Measurement& m, std::size_t b) {
          split(m, b);
          m.trained = 0;
        }));
    CHECK_FALSE(unknown.standings[1].t.p);
    CHECK(unknown.standings[1].t.remark == sizes_unknown);
  }
}

/// Folds of one file, divided anew for every seed: the blocks of repeated cross-validation.
void repeated_folds(Measurement& m, std::size_t b) {
  m.drawn_from = {"all rows of the file"};
  m.test_rows = "fold " + std::to_string(b);
  m.trained = 80;
  m.tested = 20;
}

TEST_CASE("repeated cross-validation gets the corrected test over all of its folds") {
  std::vector<double> one, other, differences;
  for (int b = 0; b < 15; ++b) {
    one.push_back(0.2 + 0.01 * (b % 4));
    other.push_back(0.19 + 0.013 * (b % 5));
    differences.push_back(other.back() - one.back());
  }
  const auto c = compare(two_methods(one, other, repeated_folds));
  CHECK(c.relation == BlockRelation::overlapping);
  CHECK(c.groups == 0);
  CHECK(*c.standings[1].t.p ==
        doctest::Approx(*statistics::resampled_t_test(differences, 20.0 / 80)).epsilon(1e-12));
  // However many seeds there are, the error does not fall below the part that the folds share.
  const Standing& standing = c.standings[0];
  CHECK(standing.standard_error ==
        doctest::Approx(standing.deviation * std::sqrt(1.0 / 15 + 0.25)).epsilon(1e-14));
}

TEST_CASE("folds of data that are drawn anew are averaged to one block for each draw") {
  std::vector<double> one, other;
  std::vector<double> means(3);
  for (std::size_t b = 0; b < 12; ++b) {
    one.push_back(0.2 + 0.01 * static_cast<double>(b % 3));
    other.push_back(0.18 + 0.02 * static_cast<double>(b / 4) + 0.01 * static_cast<double>(b % 2));
    means[b / 4] += (other[b] - one[b]) / 4;
  }
  const auto drawn = [](Measurement& m, std::size_t b) {
    m.drawn_from = {"rows of seed " + std::to_string(b / 4)};
    m.test_rows = "fold " + std::to_string(b);
    m.trained = 75;
    m.tested = 25;
  };
  const ResultTable all = two_methods(one, other, drawn);
  const auto c = compare(all);
  CHECK(c.groups == 3);
  CHECK(c.relation == BlockRelation::independent);
  CHECK(c.ranked_blocks == 3);
  CHECK(*c.standings[1].t.p == doctest::Approx(*statistics::paired_t_test(means)).epsilon(1e-9));
  CHECK(c.standings[1].wilcoxon.remark == too_few_blocks);
  CHECK(c.standings[0].measured == 12);
  SUBCASE("blocks that no method was measured on are no group of their own") {
    ResultTable stopped = all;
    for (Method& method : stopped.methods)
      for (std::size_t b = 8; b < 12; ++b) method.measurements[b] = {};
    CHECK(compare(stopped).groups == 2);
    for (Method& method : stopped.methods)
      for (std::size_t b = 4; b < 8; ++b) method.measurements[b] = {};
    const auto single = compare(stopped);
    CHECK(single.groups == 0);
    CHECK(single.relation == BlockRelation::overlapping);
  }
  SUBCASE("a draw without one of its folds does not count for the method") {
    ResultTable failed = all;
    failed.methods[1].measurements[5] = {none, "failed", {}};
    const auto fewer = compare(failed);
    CHECK(fewer.ranked_blocks == 2);
    CHECK(*fewer.standings[1].t.p ==
          doctest::Approx(*statistics::paired_t_test(std::vector{means[0], means[2]})));
  }
}

TEST_CASE("trainings on the same test rows are tested over rows and trainings together") {
  ResultTable t =
      two_methods({0.25, 0.375, 0.25}, {0.5, 0.375, 0.5}, [](Measurement& m, std::size_t) {
        m.drawn_from = {"all"};
        m.test_rows = "test";
      });
  auto& one = t.methods[0].measurements;
  auto& other = t.methods[1].measurements;
  one[0].correct = {1, 1, 1, 1, 1, 1, 0, 0}, other[0].correct = {1, 1, 1, 0, 0, 1, 0, 0};
  one[1].correct = {1, 1, 1, 0, 1, 1, 0, 0}, other[1].correct = {1, 1, 1, 1, 0, 1, 0, 0};
  one[2].correct = {1, 1, 1, 1, 1, 1, 0, 0}, other[2].correct = {1, 1, 0, 1, 0, 1, 0, 0};
  const Comparison c = compare(t);
  CHECK(c.relation == BlockRelation::same_rows);
  CHECK(c.by_rows);
  // Eight samples with mean differences 0, 0, -1/3, 0, -1, 0, 0, 0 and three trainings with -1/4,
  // 0, -1/4: variances of the mean 5/252 and 1/144.
  CHECK(*c.standings[1].t.p > 0.05);
  CHECK_FALSE(c.standings[1].wilcoxon.p);
  CHECK_FALSE(c.friedman_p);
  SUBCASE("where they all give the same, there is one result, whose rows are the pairs") {
    for (auto* measurements : {&one, &other})
      for (auto& m : *measurements) m = measurements->front();
    const Comparison d = compare(t);
    CHECK(*d.standings[1].mcnemar.p == 0.5);
    CHECK_FALSE(d.standings[1].t.p);
    CHECK_FALSE(d.standings[1].wilcoxon.p);
    CHECK_FALSE(d.friedman_p);
  }
  SUBCASE("without the rows p is about other trainings alone") {
    for (auto& m : t.methods)
      for (auto& measurement : m.measurements) measurement.correct.clear();
    const Comparison d = compare(t);
    CHECK_FALSE(d.by_rows);
    CHECK(d.standings[1].t.p);
    CHECK(d.friedman_p);
  }
}

TEST_CASE(
    "where one method varies over the trainings and another does not, both are of one family") {
  ResultTable t = table({{0.25, 0.25}, {0.5, 0.5}, {0.375, 0.5}});
  const std::vector<std::vector<std::uint8_t>> correct = {
      {1, 1, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 0, 0, 0}};
  for (std::size_t m = 0; m < 3; ++m)
    for (auto& measurement : t.methods[m].measurements) {
      measurement.test_rows = "test";
      measurement.drawn_from = {"all"};
      measurement.correct = correct[m];
    }
  t.methods[2].measurements[1].correct = correct[1];
  const Comparison c = compare(t);
  const PairedTest& fixed = c.standings[1].mcnemar;
  const PairedTest& varying = c.standings[2].t;
  REQUIRE(fixed.p);
  REQUIRE(varying.p);
  CHECK(std::min(*fixed.p_holm, *varying.p_holm) ==
        doctest::Approx(std::min(1.0, 2 * std::min(*fixed.p, *varying.p))));
}

TEST_CASE("repeats that do not vary are no blocks") {
  const std::vector<double> same(10, 0.25), better(10, 0.125);
  const Comparison c = compare(table({same, better}));
  CHECK_FALSE(c.standings[1].wilcoxon.p);  // otherwise 2 / 2^10
  CHECK_FALSE(c.standings[1].t.p);
  CHECK(c.standings[1].t.remark == no_variation);
  CHECK_FALSE(c.friedman_p);
  CHECK(*c.standings[1].difference == -0.125);
}

TEST_CASE("with too few blocks Wilcoxon's test is said to be impossible, not to find nothing") {
  const Comparison c = compare(table({{0.3, 0.2, 0.4, 0.5, 0.35}, {0.2, 0.1, 0.25, 0.3, 0.3}}));
  CHECK_FALSE(c.standings[1].wilcoxon.p);
  CHECK_FALSE(c.standings[1].wilcoxon.p_holm);
  CHECK(c.standings[1].wilcoxon.remark == too_few_blocks);
  CHECK(c.standings[1].t.p);
}

TEST_CASE("rounding decides neither what is best, nor ranks, nor differences") {
  // Fifty errors in 243 samples, added up in two ways; the third has one error less.
  const std::vector<double> one = {16.0 / 81, 17.0 / 81, 17.0 / 81};
  const std::vector<double> other = {10.0 / 81, 37.0 / 81, 3.0 / 81};
  ResultTable t = table({one, other, {0.5, 0.5, 0.25}});
  REQUIRE(compare(t).standings[0].mean != compare(t).standings[1].mean);
  const Comparison c = compare(t);
  CHECK(c.standings[0].best);
  CHECK(c.standings[1].best);
  CHECK_FALSE(c.standings[2].best);
  CHECK(*c.standings[1].difference == 0);
  const double small = 0.3 - 0.2, large = 0.2 - 0.1;
  REQUIRE(small != large);
  const Comparison ranked = compare(table({{small, small}, {large, large}}));
  CHECK(*ranked.standings[0].average_rank == 1.5);
  CHECK(*ranked.standings[1].average_rank == 1.5);
}

TEST_CASE("what is higher can be better; equal means are both best") {
  ResultTable t = table({{0.5, 0.25}, {0.75, 0.5}, {0.5, 0.75}});
  t.higher_is_better = true;
  t.baseline.reset();
  const Comparison c = compare(t);
  CHECK_FALSE(c.standings[0].best);
  CHECK(c.standings[1].best);
  CHECK(c.standings[2].best);
  CHECK(*c.standings[2].average_rank == 1.75);
  CHECK_FALSE(c.standings[1].difference);
}

TEST_CASE("a table that does not fit together is an error, an empty one is not") {
  ResultTable t = table({{0.5, 0.25}, {0.75, 0.5}});
  t.methods[1].measurements.pop_back();
  CHECK_THROWS_WITH_AS(compare(t), "the method 'b' has 1 measurements for 2 blocks", Error);
  t.methods.pop_back();
  t.baseline = 1;
  CHECK_THROWS_WITH_AS(compare(t), "the baseline is method 2 of 1", Error);
  CHECK(compare({}).standings.empty());
}

}  // namespace
}  // namespace semblance::comparison_test
