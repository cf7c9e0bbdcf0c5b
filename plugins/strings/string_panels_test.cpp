// SPDX-License-Identifier: MIT
#include "string_panels.hpp"

#include "packed_strings.hpp"
#include "string_testing.hpp"

namespace semblance::strings::string_panels_test {
namespace {

using namespace testing;

TEST_CASE("strings lie side by side, those of similar length together") {
  std::vector<std::string> strings;
  for (std::size_t k = 0; k < 40; ++k) strings.emplace_back(1 + k * 7 % 40, k % 2 ? 'b' : 'a');
  const FloatMatrix rows = rows_of(strings, Layout::string(40, "ab"));
  const StringPanels panels(rows.view(), 2);
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

TEST_CASE("an alphabet without symbols is refused") {
  CHECK_THROWS_WITH_AS(check_alphabet(Layout::string(5, "")),
                       doctest::Contains("the strings' alphabet has no symbols"), Error);
}

}  // namespace
}  // namespace semblance::strings::string_panels_test
