// SPDX-License-Identifier: MIT
#include <cmath>

#include "edit_programme.hpp"
#include "string_testing.hpp"

namespace semblance::strings::edit_test {
namespace {

using namespace testing;

const std::string letters = "abcdefghijklmnopqrstuvwxyz";

/// Cell (i, j): the distance between the first i symbols of b and the first j of x.
double brute_force(const std::string& b, const std::string& x, const EditCosts& costs) {
  Cells d = cells(b, x);
  for (std::size_t i = 0; i <= b.size(); ++i)
    for (std::size_t j = 0; j <= x.size(); ++j) {
      if (i > 0 || j > 0) d[i][j] = INFINITY;
      if (i > 0) d[i][j] = std::min(d[i][j], d[i - 1][j] + costs.deletion);
      if (j > 0) d[i][j] = std::min(d[i][j], d[i][j - 1] + costs.insertion);
      if (i > 0 && j > 0)
        d[i][j] =
            std::min(d[i][j], d[i - 1][j - 1] + (b[i - 1] == x[j - 1] ? 0 : costs.substitution));
    }
  return d[b.size()][x.size()];
}

Parameters negative(const EditCosts& costs = {}, const std::string& normalize = "none") {
  return {{"as", std::string("negative")},
          {"insertion", costs.insertion},
          {"deletion", costs.deletion},
          {"substitution", costs.substitution},
          {"normalize", normalize}};
}

float distance(const std::string& b, const std::string& x, const EditCosts& costs = {},
               const std::string& normalize = "none") {
  return -measured("similarity/edit", negative(costs, normalize), letters, b, x);
}

TEST_CASE("edit distances that are known") {
  CHECK(distance("kitten", "sitting") == 3);
  CHECK(distance("saturday", "sunday") == 3);
  CHECK(distance("intention", "execution") == 5);
  CHECK(distance("intention", "execution", {1, 1, 2}) == 8);  // Jurafsky & Martin, figure 2.18
  CHECK(distance("a", "a") == 0);
  CHECK(distance("abc", "xyz") == 3);
}

TEST_CASE("an insertion is what the sample has more, a deletion what the basis has") {
  CHECK(distance("abc", "abcde", {3, 1, 1}) == 6);
  CHECK(distance("abcde", "abc", {3, 1, 1}) == 2);
  CHECK(distance("abc", "abcde", {0.25, 7, 1.5}) == doctest::Approx(0.5));
  CHECK(distance("ab", "xy", {1, 1, 1.5}) == 3);
  CHECK(distance("ab", "xy", {1, 1, 2.5}) == 4);
}

TEST_CASE("normalized edit distances") {
  CHECK(distance("kitten", "sitting", {}, "longer") == doctest::Approx(3.0 / 7));
  CHECK(distance("kitten", "sitting", {}, "yujian_bo") == doctest::Approx(6.0 / 16));
  CHECK(distance("ab", "xyz", {}, "yujian_bo") == doctest::Approx(6.0 / 8));
  CHECK(distance("ab", "xyz", {2, 3, 1}, "yujian_bo") == doctest::Approx(8.0 / 19));
}

TEST_CASE("all ways of computing agree with the recurrence") {
  for (const std::size_t longest : {9u, 64u, 65u, 200u}) {
    const auto bases = random_strings(75, longest, "abcd", 1);
    const auto samples = random_strings(longest == 200 ? 5 : 23, longest, "abcd", 2);
    // Sums of these are exact in float32.
    for (const EditCosts& cost : {EditCosts{1, 1, 1},
                                  {2.5, 2.5, 2.5},
                                  {1, 1, 2},
                                  {1, 2, 3.5},
                                  {2, 1, 1},
                                  {1, 1, 1.5},
                                  {3, 3, 1},
                                  {300, 200, 100},
                                  {1000, 1, 7}})
      check_pairs("similarity/edit", negative(cost), Layout::string(200, "abcd"), bases, samples, 0,
                  [&](const auto& b, const auto& x) { return -brute_force(b, x, cost); });
    // Half a unit in the last place for each of up to 400 additions.
    const EditCosts cost = {0.7, 1.1, 0.9};
    check_pairs("similarity/edit", negative(cost), Layout::string(200, "abcd"), bases, samples,
                400 * 6e-8, [&](const auto& b, const auto& x) { return -brute_force(b, x, cost); });
  }
}

TEST_CASE("whole costs are exact in integers and in floats") {
  const auto strings = random_strings(40, 60, "abc", 3);
  const Layout layout = Layout::string(60, "abc");
  const FloatMatrix rows = rows_of(strings, layout);
  const StringPanels panels(rows.view(), SymbolCodes(3));
  const auto run = [&](const EditCosts& costs, double scale) {
    EditProgramme programme(costs);
    std::vector<double> values;
    for (const auto& panel : panels.panels())
      for (std::size_t i = 0; i < rows.rows; ++i) {
        const auto symbols = SymbolCodes(3).of_row(rows.view().row_span(i));
        programme.start(panels, panel, symbols.size());
        programme.advance(symbols);
        double lanes[StringPanels::width];
        programme.finish(lanes);
        for (std::size_t lane = 0; lane < panel.strings; ++lane)
          values.push_back(lanes[lane] * scale);
      }
    return values;
  };
  // Halves are not integers, and larger values do not fit into 16 bits.
  CHECK(run({2, 1, 2}, 1) == run({1, 0.5, 1}, 2));
  CHECK(run({2, 1, 2}, 1) == run({2048, 1024, 2048}, 1.0 / 1024));
}

TEST_CASE("edit distances of thirteen thousand symbols") {
  Random random(4);
  std::string b, x;
  for (int k = 0; k < 13100; ++k) b += "acgt"[random.below(4)];
  for (const char symbol : b)
    if (random.below(10) > 0) x += symbol;  // a tenth is omitted
  const Layout layout = Layout::string(13100, "acgt");
  const auto left_out = static_cast<float>(b.size() - x.size());
  CHECK(measured("similarity/edit", negative(), layout, {b}, {x}).values[0] == -left_out);
  CHECK(measured("similarity/edit", negative({1, 1, 2}), layout, {b}, {x}).values[0] == -left_out);
  CHECK(measured("similarity/edit", negative({2, 1, 2}), layout, {b}, {x}).values[0] == -left_out);
}

TEST_CASE("edit distances of a large alphabet") {
  Layout layout = Layout::string(6, "");
  for (char16_t code = 0x100; code < 0x800; ++code)
    layout.alphabet +=
        {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 63))};
  TestContext context;
  FloatMatrix rows = FloatMatrix::ragged(6, std::vector<std::size_t>{6, 6});
  rows.values = {1, 300, 700, 1000, 1500, 1791, 1, 301, 700, 1000, 1791, 1500};
  const auto measure = make_component<Similarity>("similarity/edit", negative());
  measure->bind(layout);
  measure->set_bases(rows.view(), {}, context);
  CHECK(compared(*measure, rows.view()).values == std::vector<float>{0, -3, -3, 0});
}

TEST_CASE("edit keeps the contract of similarities") {
  const Layout layout = Layout::string(90, "abcde");
  check_contract("similarity/edit", {}, layout);
  check_contract("similarity/edit", negative({1, 1, 2}), layout);
  check_contract("similarity/edit", negative({0.7, 1.3, 1.1}, "longer"), layout);
  check_contract("similarity/edit", negative({3, 2, 1}, "yujian_bo"), layout);
}

}  // namespace
}  // namespace semblance::strings::edit_test
