// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "semblance/unknown_rows_testing.hpp"
#include "string_testing.hpp"

namespace semblance::strings::spectrum_test {
namespace {

using namespace testing;

using Row = std::vector<float>;

Row spectrum(const Parameters& values, const std::string& alphabet, const std::string& text) {
  const auto feature = make_component<Feature>("feature/spectrum", values);
  return described(*feature, Layout::string(20, alphabet), {text}).values;
}

Parameters counts(std::int64_t shortest, std::int64_t longest, std::int64_t mismatch = 0) {
  return {
      {"shortest", shortest}, {"longest", longest}, {"mismatch", mismatch}, {"unit_length", false}};
}

double inner(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += double(a[k]) * b[k];
  return sum;
}

TEST_CASE("words are counted, the shorter first, then in alphabetical order") {
  CHECK(spectrum(counts(1, 1), "ab", "abbab") == Row{2, 3});
  CHECK(spectrum(counts(1, 2), "ab", "abbab") == Row{2, 3, 0, 2, 1, 1});
  CHECK(spectrum(counts(2, 2), "abc", "abcab") == Row{0, 2, 0, 0, 0, 1, 1, 0, 0});
  CHECK(spectrum(counts(3, 3), "ab", "ab") == Row(8));
}

TEST_CASE("binary values and rows of unit length") {
  Parameters binary = counts(1, 2);
  binary.push_back({"values", std::string("binary")});
  CHECK(spectrum(binary, "ab", "abbab") == Row{1, 1, 0, 1, 1, 1});
  const Row unit =
      spectrum({{"shortest", std::int64_t{1}}, {"longest", std::int64_t{1}}}, "ab", "aaaabbb");
  CHECK(unit[0] == doctest::Approx(0.8));
  CHECK(unit[1] == doctest::Approx(0.6));
  const Row none =
      spectrum({{"shortest", std::int64_t{3}}, {"longest", std::int64_t{3}}}, "ab", "ab");
  CHECK(none == Row(8));
}

TEST_CASE("with mismatches a word counts for its neighbours") {
  // aa: itself, ab, ac, ba, ca; ab: itself, aa, ac, bb, cb.
  CHECK(spectrum(counts(2, 2, 1), "abc", "aab") == Row{2, 2, 2, 1, 1, 0, 1, 1, 0});
  // All words in up to two places: each of the 27 differs in some number of places.
  const Row two = spectrum(counts(3, 3, 2), "abc", "abc");
  std::size_t near = 0;
  for (std::size_t w = 0; w < 27; ++w) {
    const std::size_t word[] = {w / 9, w / 3 % 3, w % 3};
    std::size_t different = 0;
    for (std::size_t k = 0; k < 3; ++k) different += word[k] != k;
    CHECK(two[w] == (different <= 2 ? 1 : 0));
    near += different <= 2;
  }
  CHECK(near == 19);
}

TEST_CASE("the ends of a string may be symbols too") {
  Parameters values = counts(1, 2);
  values.push_back({"ends", true});
  // a, b, end; aa, ab, a-end, ba, bb, b-end, end-a, end-b, end-end.
  CHECK(spectrum(values, "ab", "abb") == Row{1, 2, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0});
  values = counts(2, 2, 1);
  values.push_back({"ends", true});
  // end-a is near end-b, a-end near b-end; no word with an end is near one without.
  CHECK(spectrum(values, "ab", "a") == Row{0, 0, 1, 0, 0, 1, 1, 1, 0});
  values.push_back({"hashed", std::int64_t{1000}});
  CHECK(spectrum(values, "ab", "ab") == spectrum(values, "ab", "ab"));
  CHECK(spectrum(values, "ab", "ab") != spectrum(values, "ab", "ba"));
}

TEST_CASE("hashed columns keep inner products on average") {
  const auto strings = random_strings(12, 20, "abcdefgh", 1);
  const auto exact = make_component<Feature>("feature/spectrum", counts(1, 3));
  const Layout layout = Layout::string(20, "abcdefgh");
  const FloatMatrix rows = described(*exact, layout, strings);
  Parameters values = counts(1, 3);
  values.push_back({"hashed", std::int64_t{65536}});
  const auto hashed = make_component<Feature>("feature/spectrum", values);
  CHECK(hashed->bind(layout) == Layout::vector(65536));
  const FloatMatrix few = described(*hashed, layout, strings);
  const auto row = [](const FloatMatrix& m, std::size_t i) {
    const auto span = m.view().row_span(i);
    return Row(span.begin(), span.end());
  };
  // 584 words into 65,536 columns: next to none meet.
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j)
      CHECK(std::abs(inner(row(few, i), row(few, j)) - inner(row(rows, i), row(rows, j))) <= 4);
  values.back().second = std::int64_t{64};
  const auto small = make_component<Feature>("feature/spectrum", values);
  const FloatMatrix folded = described(*small, layout, strings);
  double exact_sum = 0, folded_sum = 0;
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) {
      exact_sum += inner(row(rows, i), row(rows, j));
      folded_sum += inner(row(folded, i), row(folded, j));
    }
  CHECK(std::abs(folded_sum / exact_sum - 1) < 0.5);
}

TEST_CASE("the hash of a word does not depend on the alphabet") {
  Parameters values = counts(1, 3);
  values.push_back({"hashed", std::int64_t{1000}});
  CHECK(spectrum(values, "abc", "abccb") == spectrum(values, "ABCabcxyz", "abccb"));
  CHECK(spectrum(values, "abc", "abccb") != spectrum(values, "abc", "abcbb"));
}

TEST_CASE("binary hashed words count once") {
  Parameters values = counts(1, 1);
  values.push_back({"hashed", std::int64_t{1000}});
  values.push_back({"values", std::string("binary")});
  CHECK(spectrum(values, "ab", "aaab") == spectrum(values, "ab", "ab"));
}

/// The words of a string, and those that differ from them in up to `mismatch` places by symbols of
/// the alphabet: the definition.
std::map<std::string, double> spelled(const std::string& text, const std::string& alphabet,
                                      std::size_t shortest, std::size_t longest,
                                      std::size_t mismatch) {
  std::map<std::string, double> counts;
  for (std::size_t length = shortest; length <= longest; ++length)
    for (std::size_t at = 0; at + length <= text.size(); ++at) {
      std::set<std::string> near = {text.substr(at, length)};
      for (std::size_t m = 0; m < mismatch; ++m)
        for (const std::string& word : std::set(near))
          for (std::size_t k = 0; k < length; ++k)
            for (const char symbol : alphabet) {
              std::string other = word;
              other[k] = symbol;
              near.insert(other);
            }
      for (const std::string& word : near) ++counts[word];
    }
  return counts;
}

double kernel(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [word, count] : a)
    if (const auto found = b.find(word); found != b.end()) sum += count * found->second;
  return sum;
}

TEST_CASE("new strings have the normalized kernel with training strings") {
  const std::string alphabet = "abc";
  auto strings = random_strings(15, 9, alphabet, 2);
  for (const std::string& text : random_strings(30, 9, "abcxyz", 3)) strings.push_back(text);
  for (const char* const text : {"x", "zzz", "xyzxyz", "axa", "zab"}) strings.emplace_back(text);
  for (const std::size_t mismatch : {0, 1})
    for (const char* const values : {"counts", "binary"}) {
      const auto feature = make_component<Feature>(
          "feature/spectrum", {{"shortest", std::int64_t{2}},
                               {"longest", std::int64_t{3}},
                               {"mismatch", static_cast<std::int64_t>(mismatch)},
                               {"values", std::string(values)}});
      const FloatMatrix rows = described(*feature, Layout::string(9, alphabet), strings);
      std::vector<std::map<std::string, double>> plain;
      for (const std::string& text : strings) {
        plain.push_back(spelled(text, alphabet, 2, 3, mismatch));
        if (std::string_view(values) == "binary")
          for (auto& [word, count] : plain.back()) count = 1;
      }
      for (std::size_t i = 0; i < strings.size(); ++i)
        for (std::size_t j = 0; j < 15; ++j) {
          const double lengths = kernel(plain[i], plain[i]) * kernel(plain[j], plain[j]);
          const double wanted = lengths > 0 ? kernel(plain[i], plain[j]) / std::sqrt(lengths) : 0;
          const auto a = rows.view().row_span(i), b = rows.view().row_span(j);
          CHECK(std::inner_product(a.begin(), a.end(), b.begin(), 0.0) ==
                doctest::Approx(wanted).epsilon(1e-6));
        }
    }
}

TEST_CASE("strings without a word that has a column are noted") {
  const auto feature = make_component<Feature>("feature/spectrum", counts(2, 2));
  const Layout layout = Layout::string(9, "ab");
  FloatMatrix out(5, feature->bind(layout).size());
  NotingContext context;
  // Too short for a word, which says nothing about symbols; only new words; one known.
  feature->apply(rows_of({"a", "ax", "xy", "xab", "aa"}, layout).view(), out.view(), context);
  CHECK(context.rows == std::vector<std::size_t>{1, 2});
}

TEST_CASE("more columns than there may be are refused with the arithmetic") {
  const auto feature = make_component<Feature>("feature/spectrum", counts(1, 5));
  CHECK_THROWS_WITH_AS(
      feature->bind(Layout::string(20, "ACDEFGHIKLMNPQRSTVWY")),
      doctest::Contains(
          "words of 1 to 5 symbols out of 20 take 20^1 + 20^2 + 20^3 + 20^4 + 20^5 "
          "columns, above 262144; lower longest, or give a number of columns by hashed"),
      Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/spectrum", counts(3, 2)),
                       doctest::Contains("longest: 2 is below shortest: 3"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/spectrum", counts(1, 3, 1)),
                       doctest::Contains("mismatch: 1 lets words of shortest: 1 differ in all"),
                       Error);
}

TEST_CASE("a string of other values is refused") {
  const auto feature = make_component<Feature>("feature/spectrum");
  const Layout layout = Layout::string(5, "abc");
  FloatMatrix out(1, feature->bind(layout).size());
  FloatMatrix rows = FloatMatrix::ragged(5, std::vector<std::size_t>{2});
  rows.values = {0, 0.5};
  TestContext context;
  CHECK_THROWS_WITH_AS(feature->apply(rows.view(), out.view(), context),
                       doctest::Contains("row 0 of the block (counted from 0): value 1 of a string "
                                         "is 0.5, which is no position in an alphabet of 3"),
                       Error);
}

}  // namespace
}  // namespace semblance::strings::spectrum_test
