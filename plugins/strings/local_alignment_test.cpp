// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <functional>

#include "blosum62.hpp"
#include "string_testing.hpp"

namespace semblance::strings::local_alignment_test {
namespace {

using namespace testing;

const std::string amino_acids = "ACDEFGHIKLMNPQRSTVWY";

int score_of(char a, char b) {
  const auto row = [](char letter) { return blosum62_row(static_cast<unsigned char>(letter)); };
  return blosum62()[row(a) * blosum62_rows + row(b)];
}

using Pair = std::function<double(char, char)>;

/// Every gap of every length is tried at every cell.
double brute_force(const std::string& b, const std::string& x, const Pair& pair, double open,
                   double extend) {
  Cells h = cells(b, x);
  double best = 0;
  for (std::size_t i = 1; i <= b.size(); ++i)
    for (std::size_t j = 1; j <= x.size(); ++j) {
      double& cell = h[i][j] = std::max(0.0, h[i - 1][j - 1] + pair(b[i - 1], x[j - 1]));
      for (std::size_t k = 1; k <= i; ++k)
        cell = std::max(cell, h[i - k][j] - open - static_cast<double>(k) * extend);
      for (std::size_t k = 1; k <= j; ++k)
        cell = std::max(cell, h[i][j - k] - open - static_cast<double>(k) * extend);
      best = std::max(best, cell);
    }
  return best;
}

Parameters raw(std::int64_t match, std::int64_t mismatch, std::int64_t open, std::int64_t extend) {
  return {{"match", match},
          {"mismatch", mismatch},
          {"gap_open", open},
          {"gap_extend", extend},
          {"normalize", false}};
}

Parameters proteins(bool normalize) {
  return {{"matrix", std::string("blosum62")}, {"normalize", normalize}};
}

TEST_CASE("BLOSUM62 has the published values") {
  CHECK(score_of('W', 'W') == 11);
  CHECK(score_of('A', 'A') == 4);
  CHECK(score_of('C', 'C') == 9);
  CHECK(score_of('R', 'K') == 2);
  CHECK(score_of('K', 'R') == 2);
  CHECK(score_of('W', 'N') == -4);
  CHECK(score_of('I', 'V') == 3);
  CHECK(score_of('F', 'Y') == 3);
  CHECK(score_of('D', 'E') == 2);
  CHECK(score_of('G', 'I') == -4);
  CHECK(score_of('B', 'D') == 4);
  CHECK(score_of('Z', 'E') == 4);
  CHECK(score_of('X', 'X') == -1);
  CHECK(score_of('*', '*') == 1);
  int trace = 0;
  for (const char letter : amino_acids) trace += score_of(letter, letter);
  CHECK(trace == 116);
}

TEST_CASE("letters that BLOSUM62 does not have") {
  CHECK(score_of('w', 'W') == 11);
  for (const char letter : {'J', 'O', 'U', 'u'}) CHECK(score_of(letter, 'C') == score_of('X', 'C'));
  const auto measure = make_component<Similarity>("similarity/local_alignment", proteins(true));
  CHECK_THROWS_WITH_AS(measure->bind(Layout::string(9, "0123")),
                       doctest::Contains("the alphabet has the symbol '0', which is no amino acid"),
                       Error);
  CHECK_THROWS_AS(measure->bind(Layout::string(9, "AC-")), Error);
  CHECK_THROWS_AS(measure->bind(Layout::string(9, "AÄ")), Error);
}

TEST_CASE("local alignments by hand") {
  // TGTTACGG with GGTTGACTA, gaps of 2 a symbol: GTT-AC with GTTGAC.
  CHECK(measured("similarity/local_alignment", raw(3, -3, 0, 2), "ACGT", "TGTTACGG", "GGTTGACTA") ==
        13);
  CHECK(measured("similarity/local_alignment", raw(5, -4, 11, 1), "ACGT", "AAAA", "CCCC") == 0);
  // One gap of two symbols costs 3 + 2 * 1, and six matches give 12.
  CHECK(measured("similarity/local_alignment", raw(2, -9, 3, 1), "ACGT", "ACGTTACG", "ACGACG") ==
        7);
  // HEAGAWGHEE with PAWHEAE: AWGHE with AW-HE, 4 + 11 - 12 + 8 + 5.
  CHECK(measured("similarity/local_alignment", proteins(false), amino_acids, "HEAGAWGHEE",
                 "PAWHEAE") == 17);
}

TEST_CASE("local alignments agree with all gaps tried") {
  const auto bases = random_strings(45, 50, "ACDEFGHIKL", 1);
  const auto samples = random_strings(12, 50, "ACDEFGHIKL", 2);
  const Layout layout = Layout::string(50, amino_acids);
  for (const auto& [match, mismatch, open, extend] : {std::array<std::int64_t, 4>{5, -4, 11, 1},
                                                      {2, -1, 0, 1},
                                                      {1, 0, 0, 0},
                                                      {3, -3, 2, 2},
                                                      {100, -100, 1000, 1000},
                                                      {100, -1, 7, 0}})
    check_pairs("similarity/local_alignment", raw(match, mismatch, open, extend), layout, bases,
                samples, 0, [&](const auto& b, const auto& x) {
                  return brute_force(
                      b, x, [&](char p, char q) { return double(p == q ? match : mismatch); },
                      double(open), double(extend));
                });
  check_pairs("similarity/local_alignment", proteins(false), layout, bases, samples, 0,
              [&](const auto& b, const auto& x) { return brute_force(b, x, score_of, 11, 1); });
}

TEST_CASE("scores beyond 16 bits are exact") {
  const std::string same(13100, 'W');
  const Layout layout = Layout::string(13100, amino_acids);
  CHECK(measured("similarity/local_alignment", proteins(false), layout, {same, "WA"}, {same})
            .values == std::vector<float>{144100, 11});
  CHECK(measured("similarity/local_alignment", proteins(true), layout, {same}, {same}).values[0] ==
        1);
}

TEST_CASE("normalized scores are 1 for equal strings and at most 1 for others") {
  const auto strings = random_strings(40, 80, amino_acids, 3);
  const FloatMatrix result = measured("similarity/local_alignment", proteins(true),
                                      Layout::string(80, amino_acids), strings, strings);
  for (std::size_t i = 0; i < 40; ++i) CHECK(result.view().row(i)[i] == 1);
  for (const float value : result.values) CHECK(value <= 1);
  const auto own = [](const std::string& x) { return brute_force(x, x, score_of, 11, 1); };
  CHECK(measured("similarity/local_alignment", proteins(true), amino_acids, "HEAGAWGHEE",
                 "PAWHEAE") == doctest::Approx(17 / std::sqrt(own("HEAGAWGHEE") * own("PAWHEAE"))));
  CHECK(measured("similarity/local_alignment", proteins(true), "WX", "XX", "XX") == 0);
}

TEST_CASE("local_alignment keeps the contract of similarities") {
  check_contract("similarity/local_alignment", {}, Layout::string(90, "ACGT"));
  check_contract("similarity/local_alignment", proteins(true), Layout::string(90, "ACDE"));
  check_contract("similarity/local_alignment", raw(100, -3, 5, 2), Layout::string(400, "ACDE"));
}

}  // namespace
}  // namespace semblance::strings::local_alignment_test
