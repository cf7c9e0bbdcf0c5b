// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "semblance/error.hpp"

namespace semblance {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Method method(const std::string& name, const std::vector<double>& values) {
  Method result{name, {}, {}};
  for (const double value : values) result.measurements.push_back({value, "", {}, ""});
  return result;
}

ResultTable table(const std::vector<std::vector<double>>& values) {
  ResultTable result{"error_rate", false, {}, {}, {}, 0};
  for (std::size_t i = 0; i < values.size(); ++i)
    result.methods.push_back(method(std::string(1, static_cast<char>('a' + i)), values[i]));
  for (std::size_t b = 0; b < values.front().size(); ++b)
    result.blocks.push_back("seed " + std::to_string(b));
  return result;
}

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
  // All six differences, each of another size, point the same way: the least p there is.
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
  // Fewer blocks are no better mean.
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

ResultTable one_block() {
  ResultTable t = table({{0.5}, {0.25}, {0.75}});
  for (auto& m : t.methods) m.measurements[0].test_rows = "digits";
  t.methods[0].measurements[0].correct = {1, 1, 0, 0, 0, 1, 0, 1};
  t.methods[1].measurements[0].correct = {1, 1, 1, 1, 1, 0, 0, 1};
  t.methods[2].measurements[0].correct = {0, 1, 0, 0, 0, 0, 0, 1};
  return t;
}

TEST_CASE("with one block the test rows are the pairs") {
  const Comparison c = compare(one_block());
  CHECK(*c.standings[1].mcnemar.p == doctest::Approx(2 * 5.0 / 16).epsilon(1e-14));
  CHECK(*c.standings[2].mcnemar.p == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(*c.standings[2].mcnemar.p_holm == doctest::Approx(1).epsilon(1e-14));
  CHECK(*c.standings[1].difference == -0.25);
  CHECK(std::isnan(c.standings[1].deviation));
  CHECK_FALSE(c.standings[1].t.p);
  CHECK_FALSE(c.standings[1].wilcoxon.p);
  CHECK_FALSE(c.friedman_p);
  CHECK_FALSE(c.critical_difference);
  CHECK(*c.standings[1].average_rank == 1);
}

TEST_CASE("other test rows cannot be paired") {
  ResultTable t = one_block();
  t.methods[1].measurements[0].test_rows = "letters";
  t.methods[2].measurements[0].correct.pop_back();
  const Comparison c = compare(t);
  CHECK_FALSE(c.standings[1].mcnemar.p);
  CHECK_FALSE(c.standings[2].mcnemar.p);
  t = one_block();
  t.blocks.emplace_back("again");
  for (auto& m : t.methods) m.measurements.push_back(m.measurements.front());
  CHECK_FALSE(compare(t).standings[1].mcnemar.p);
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
}  // namespace semblance
