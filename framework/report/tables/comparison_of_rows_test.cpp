// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "report/tables/comparison_testing.hpp"
#include "statistics/paired_tests.hpp"

namespace semblance::comparison_of_rows_test {
namespace {

using namespace testing;

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

TEST_CASE("with one block of estimates the losses of the test rows are the pairs") {
  ResultTable t = table({{0.5}, {0.25}, {0.5}});
  for (auto& m : t.methods) m.measurements[0].test_rows = "houses";
  const std::vector<double> one = {0.5, 2, 0.25, 3, 1, 0, 0.125},
                            other = {0.25, 1, 0.5, 1, 0.25, 0.5, 0};
  t.methods[0].measurements[0].losses = one;
  t.methods[1].measurements[0].losses = other;
  t.methods[2].measurements[0].losses = {1, 2};
  std::vector<double> differences;
  for (std::size_t r = 0; r < one.size(); ++r) differences.push_back(other[r] - one[r]);
  const Comparison c = compare(t);
  CHECK(c.by_rows);
  CHECK(*c.standings[1].t.p == *statistics::paired_t_test(differences));
  CHECK(*c.standings[1].wilcoxon.p == *statistics::wilcoxon_signed_rank_test(differences));
  CHECK_FALSE(c.standings[1].mcnemar.p);
  CHECK_FALSE(c.standings[2].t.p);
  CHECK(c.standings[2].t.remark == other_test_rows);
  SUBCASE("several trainings on the same rows are tested together") {
    ResultTable s = table({{0.5, 0.6}, {0.25, 0.3}});
    for (auto& m : s.methods)
      for (auto& measurement : m.measurements) {
        measurement.test_rows = "houses";
        measurement.drawn_from = {"file"};
      }
    s.methods[0].measurements[0].losses = s.methods[0].measurements[1].losses = one;
    s.methods[0].measurements[1].losses[3] = 4;
    s.methods[1].measurements[0].losses = s.methods[1].measurements[1].losses = other;
    std::vector<std::vector<double>> both = {differences, differences};
    both[1][3] = other[3] - 4;
    const Comparison d = compare(s);
    CHECK(d.by_rows);
    CHECK(*d.standings[1].t.p == *statistics::crossed_t_test(both));
  }
}

TEST_CASE("where test rows have groups, tests over rows are over groups") {
  ResultTable t = one_block();
  for (auto& m : t.methods) m.measurements[0].groups = {0, 0, 1, 1, 1, 2, 2, -1};
  const Comparison c = compare(t);
  CHECK(c.row_groups == 4);
  // The sums of the groups are 0, 3, -1, 0, and -1, 0, -1, 0: all four signs are as far from 0 as
  // 2, and two of four.
  CHECK(*c.standings[1].mcnemar.p == doctest::Approx(1));
  CHECK(*c.standings[2].mcnemar.p == doctest::Approx(0.5).epsilon(1e-14));
  SUBCASE("also where only one run recorded them, and not where they are of other rows") {
    t.methods[1].measurements[0].groups.clear();
    CHECK(*compare(t).standings[1].mcnemar.p == *c.standings[1].mcnemar.p);
    t.methods[0].measurements[0].groups = {1, 2};
    CHECK(*compare(t).standings[1].mcnemar.p == doctest::Approx(2 * 5.0 / 16).epsilon(1e-14));
  }
  SUBCASE("losses") {
    for (auto& m : t.methods) {
      m.measurements[0].losses.assign(m.measurements[0].correct.begin(),
                                      m.measurements[0].correct.end());
      m.measurements[0].losses[3] += 0.25 * m.measurements[0].losses[2];
      m.measurements[0].correct.clear();
    }
    const auto groups = t.methods[0].measurements[0].groups;
    std::vector<double> differences;
    for (std::size_t r = 0; r < groups.size(); ++r)
      differences.push_back(t.methods[1].measurements[0].losses[r] -
                            t.methods[0].measurements[0].losses[r]);
    const Comparison d = compare(t);
    CHECK(d.row_groups == 4);
    CHECK(*d.standings[1].t.p ==
          *statistics::paired_t_test(statistics::group_values(differences, groups)));
    CHECK(d.standings[1].wilcoxon.remark == too_few_blocks);
    for (auto& m : t.methods) {
      m.measurements.push_back(m.measurements[0]);
      for (auto& measurement : m.measurements) measurement.drawn_from = {"file"};
    }
    t.blocks.emplace_back("seed 2");
    t.methods[1].measurements[1].losses[0] = 0;
    std::vector<std::vector<double>> both = {differences, differences};
    both[1][0] -= 1;
    for (auto& rows : both) rows = statistics::group_values(rows, groups);
    const Comparison e = compare(t);
    CHECK(e.row_groups == 4);
    CHECK(*e.standings[1].t.p == *statistics::crossed_t_test(both));
  }
}

TEST_CASE("other test rows cannot be paired") {
  ResultTable t = one_block();
  t.methods[1].measurements[0].test_rows = "letters";
  t.methods[2].measurements[0].correct.pop_back();
  const Comparison c = compare(t);
  CHECK_FALSE(c.standings[1].mcnemar.p);
  CHECK_FALSE(c.standings[2].mcnemar.p);
  CHECK(c.standings[1].mcnemar.remark == other_test_rows);
  SUBCASE("nor such of which nobody says what they are, however alike they look") {
    for (auto& m : t.methods) m.measurements[0].test_rows.clear();
    t.methods[2].measurements[0].correct.push_back(1);
    const Comparison d = compare(t);
    CHECK_FALSE(d.standings[2].mcnemar.p);
    CHECK(d.standings[2].mcnemar.remark == test_rows_unknown);
  }
}

}  // namespace
}  // namespace semblance::comparison_of_rows_test
