// SPDX-License-Identifier: MIT
#include "report/tables/slot_effects.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "report/tables/table_text.hpp"
#include "statistics/paired_tests.hpp"

namespace semblance::slot_effects_test {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Two kernels by three costs by two scalings, on four independent blocks.
ResultTable study() {
  ResultTable table{"error_rate", false, {"kernel", "C", "scale"}, {}, {}, 0};
  for (int b = 0; b < 4; ++b) table.blocks.push_back("seed=" + std::to_string(b));
  int i = 0;
  for (const char* kernel : {"rbf", "linear"})
    for (const char* cost : {"1", "10", "100"})
      for (const char* scale : {"zscore", "none"}) {
        Method method{std::string(kernel) + cost + scale, {kernel, cost, scale}, {}};
        for (int b = 0; b < 4; ++b, ++i) {
          Measurement one{0.1 + 0.01 * (i * i % 17) + 0.02 * b, "", {}, "test" + std::to_string(b)};
          one.drawn_from = {"data" + std::to_string(b)};
          one.trained = 80;
          one.tested = 20;
          method.measurements.push_back(one);
        }
        table.methods.push_back(std::move(method));
      }
  return table;
}

/// Mean over all methods with the choice, on one block.
double mean_of_choice(const ResultTable& table, std::size_t slot, const std::string& choice,
                      std::size_t block, const std::string& without = "") {
  double sum = 0, count = 0;
  for (const Method& method : table.methods)
    if (method.choices[slot] == choice &&
        std::ranges::find(method.choices, without) == method.choices.end()) {
      sum += method.measurements[block].value;
      ++count;
    }
  return sum / count;
}

TEST_CASE("the effect of a slot is the paired difference of means over all else") {
  const ResultTable table = study();
  const auto effects = slot_effects(table);
  REQUIRE(effects.size() == 3);
  CHECK(effects[1].slot == "C");
  CHECK(effects[1].combinations == 4);
  REQUIRE(effects[1].table.methods.size() == 3);
  CHECK(effects[1].table.baseline == 0);
  for (std::size_t i = 1; i < 3; ++i) {
    std::vector<double> differences;
    for (std::size_t b = 0; b < 4; ++b)
      differences.push_back(mean_of_choice(table, 1, effects[1].table.methods[i].name, b) -
                            mean_of_choice(table, 1, "1", b));
    const Standing& standing = effects[1].comparison.standings[i];
    double mean = 0;
    for (const double d : differences) mean += d / 4;
    CHECK(*standing.difference == doctest::Approx(mean).epsilon(1e-12));
    CHECK(*standing.t.p == doctest::Approx(*statistics::paired_t_test(differences)).epsilon(1e-9));
    CHECK(*standing.difference_reach ==
          doctest::Approx(*statistics::resampled_t_reach(differences, 0)).epsilon(1e-9));
  }
  // Two tests in the slot, not eleven.
  std::vector<double> p = {*effects[1].comparison.standings[1].t.p,
                           *effects[1].comparison.standings[2].t.p};
  const double least = std::ranges::min(p);
  const std::size_t at = p[0] == least ? 1 : 2;
  CHECK(*effects[1].comparison.standings[at].t.p_holm == doctest::Approx(std::min(1.0, 2 * least)));
}

TEST_CASE("only combinations that every choice has count") {
  ResultTable table = study();
  // Without linear, C = 100, no scaling.
  const auto lost = std::ranges::find(table.methods, "linear100none", &Method::name);
  SUBCASE("where one failed") { lost->measurements[2].value = none; }
  SUBCASE("and where the study excludes one") { table.methods.erase(lost); }
  const auto effects = slot_effects(table);
  REQUIRE(effects.size() == 3);
  CHECK(effects[0].combinations == 5);
  CHECK(effects[1].combinations == 3);
  CHECK(effects[2].combinations == 5);
  double expected = 0;
  for (std::size_t b = 0; b < 4; ++b)
    for (const Method& method : table.methods)
      if (method.choices[0] == "linear" && method.name != "linear100none")
        expected += method.measurements[b].value / 20;
  CHECK(effects[0].comparison.standings[1].mean == doctest::Approx(expected).epsilon(1e-12));
}

TEST_CASE("slots without an effect to show are left out") {
  ResultTable table = study();
  SUBCASE("the only one that varies") {
    std::erase_if(table.methods, [](const Method& method) {
      return method.choices[0] == "linear" || method.choices[2] == "none";
    });
    CHECK(slot_effects(table).empty());
  }
  SUBCASE("runs have no slots") {
    table.slots.clear();
    for (Method& method : table.methods) method.choices.clear();
    CHECK(slot_effects(table).empty());
  }
  SUBCASE("a combination without the slot is none of its choices") {
    for (Method& method : table.methods)
      if (method.choices[0] == "linear") method.choices[1].clear();
    const auto effects = slot_effects(table);
    REQUIRE(effects.size() == 2);
    CHECK(effects[0].slot == "C");
    CHECK(effects[0].combinations == 2);
  }
  SUBCASE("without a baseline there are means but no tests") {
    table.baseline.reset();
    const auto effects = slot_effects(table);
    REQUIRE(effects.size() == 3);
    CHECK_FALSE(effects[0].comparison.standings[1].t.p);
    CHECK(effects[0].comparison.standings[1].mean > 0);
  }
}

TEST_CASE("on one block the mean losses of the test rows are the pairs") {
  ResultTable table = study();
  table.blocks = {""};
  std::vector<std::vector<double>> wrong(2, std::vector<double>(20));
  std::size_t m = 0;
  for (Method& method : table.methods) {
    method.measurements.resize(1);
    Measurement& one = method.measurements[0];
    one.correct.resize(20);
    double errors = 0;
    for (std::size_t r = 0; r < 20; ++r) {
      one.correct[r] = (r * 7 + m * 3) % 5 > (m < 6 ? 0 : 1);
      errors += one.correct[r] ? 0 : 1;
      wrong[m < 6 ? 0 : 1][r] += one.correct[r] ? 0 : 1.0 / 6;
    }
    one.value = errors / 20;
    ++m;
  }
  std::vector<double> differences;
  for (std::size_t r = 0; r < 20; ++r) differences.push_back(wrong[1][r] - wrong[0][r]);
  const auto effects = slot_effects(table);
  REQUIRE(effects.size() == 3);
  const Standing& linear = effects[0].comparison.standings[1];
  CHECK(*linear.t.p == doctest::Approx(*statistics::paired_t_test(differences)).epsilon(1e-9));
  CHECK(*linear.difference_reach ==
        doctest::Approx(*statistics::resampled_t_reach(differences, 0)).epsilon(1e-9));
  std::vector<std::int32_t> groups;
  for (std::int32_t r = 0; r < 20; ++r) groups.push_back(r / 3);
  for (Method& method : table.methods) method.measurements[0].groups = groups;
  CHECK(*slot_effects(table)[0].comparison.standings[1].t.p ==
        doctest::Approx(*statistics::paired_t_test(statistics::group_values(differences, groups)))
            .epsilon(1e-9));
}

TEST_CASE("the effects of all slots are one table") {
  const ResultTable table = study();
  const TableLayout layout = shown_layout(effects_layout(slot_effects(table)));
  std::vector<std::string> headings;
  for (const TableColumn& column : layout.columns) {
    headings.push_back(column.heading);
    CHECK(column.cells.size() == 7);
  }
  CHECK(headings[0] == "slot");
  CHECK(headings[1] == "choice");
  CHECK(std::ranges::count(headings, "95 % interval") == 1);
  CHECK(std::ranges::count(headings, "p t") == 1);
  CHECK(layout.columns[0].cells[6].text == "scale");
  CHECK(layout.columns[1].cells[6].text == "none");
  const std::string text = table_plain(table, compare(table));
  CHECK(text.find("Each mean is over all combinations of the other slots") != std::string::npos);
}

}  // namespace
}  // namespace semblance::slot_effects_test
