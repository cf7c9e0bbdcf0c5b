// SPDX-License-Identifier: MIT
#include "string_panels.hpp"

#include "semblance/new_symbols.hpp"
#include "string_testing.hpp"

namespace semblance::strings::string_panels_test {
namespace {

using namespace testing;

TEST_CASE("strings lie side by side, those of similar length together") {
  std::vector<std::string> strings;
  for (std::size_t k = 0; k < 40; ++k) strings.emplace_back(1 + k * 7 % 40, k % 2 ? 'b' : 'a');
  const FloatMatrix rows = rows_of(strings, Layout::string(40, "ab"));
  const StringPanels panels(rows.view(), SymbolCodes(2));
  REQUIRE(panels.panels().size() == 2);
  CHECK(panels.panels()[0].longest == 40);
  CHECK(panels.panels()[1].longest == 8);
  std::vector<int> met(40);
  for (const auto& panel : panels.panels())
    for (std::size_t lane = 0; lane < panel.strings; ++lane) {
      const std::string& text = strings[panels.row(panel, lane)];
      ++met[panels.row(panel, lane)];
      REQUIRE(panels.length(panel, lane) == text.size());
      for (std::size_t k = 0; k < panel.longest; ++k)
        REQUIRE(panels.symbols(panel)[k * StringPanels::width + lane] ==
                (k < text.size() ? Symbol(text[k] - 'a') : no_symbol));
    }
  CHECK(met == std::vector<int>(40, 1));
}

TEST_CASE("symbols that the alphabet lacks are equal where they are known, else to nothing") {
  const float values[] = {0, new_symbol_value(U'x'), 1, new_symbol_value(U'ñ')};
  const std::size_t offsets[] = {0, 4};
  SymbolCodes codes(2);
  CHECK(codes.of_row(values) == std::vector<Symbol>{0, 2, 1, 2});
  CHECK(codes.count() == 3);
  codes.add({values, 1, 4, 0, offsets});
  CHECK(codes.of_row(values) == std::vector<Symbol>{0, 2, 1, 3});
  CHECK(codes.count() == 5);
  const float other[] = {new_symbol_value(U'y')};
  CHECK(codes.of_row(other) == std::vector<Symbol>{4});
  const float broken[] = {0.5f}, above[] = {2};
  CHECK_THROWS_WITH_AS(codes.of_row(broken), doctest::Contains("is no position"), Error);
  CHECK_THROWS_WITH_AS(codes.of_row(above), doctest::Contains("is no position"), Error);
}

TEST_CASE("an alphabet without symbols is refused") {
  CHECK_THROWS_WITH_AS(check_alphabet(Layout::string(5, "")),
                       doctest::Contains("the strings' alphabet has no symbols"), Error);
}

}  // namespace
}  // namespace semblance::strings::string_panels_test
