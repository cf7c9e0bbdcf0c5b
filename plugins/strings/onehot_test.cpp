// SPDX-License-Identifier: MIT
#include "semblance/new_symbols.hpp"
#include "semblance/unknown_rows_testing.hpp"
#include "string_testing.hpp"

namespace semblance::strings::onehot_test {
namespace {

using namespace testing;

TEST_CASE("each place has a column for each symbol, zero beyond the end") {
  const auto feature = make_component<Feature>("feature/onehot");
  const Layout layout = Layout::string(3, "ACG");
  CHECK(feature->bind(layout) == Layout::vector(9));
  CHECK(described(*feature, layout, {"GAC", "C"}).values ==
        std::vector<float>{0, 0, 1, 1, 0, 0, 0, 1, 0,  //
                           0, 1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE(
    "a new string has no columns for further places and is refused; new symbols are all zero") {
  const auto feature = make_component<Feature>("feature/onehot");
  feature->bind(Layout::string(2, "AC"));
  TestContext context;
  FloatMatrix out(1, 4);
  const float longer[] = {0, 1, 0}, other[] = {0, new_symbol_value(U'x')};
  const std::size_t three[] = {0, 3}, two[] = {0, 2};
  CHECK_THROWS_WITH_AS(feature->apply({longer, 1, 2, 0, three}, out.view(), context),
                       doctest::Contains("the string has 3 symbols, and there are columns for the "
                                         "first 2"),
                       Error);
  feature->apply({other, 1, 2, 0, two}, out.view(), context);
  CHECK(out.values == std::vector<float>{1, 0, 0, 0});
}

TEST_CASE("a string of nothing but new symbols is noted") {
  const auto feature = make_component<Feature>("feature/onehot");
  feature->bind(Layout::string(2, "AC"));
  NotingContext context;
  FloatMatrix out(4, 4);
  const float x = new_symbol_value(U'x'), texts[] = {0, x, x, x, x};
  const std::size_t offsets[] = {0, 2, 4, 4, 5};
  feature->apply({texts, 4, 2, 0, offsets}, out.view(), context);
  CHECK(context.rows == std::vector<std::size_t>{1, 3});
}

TEST_CASE("strings with too many places are refused with the arithmetic") {
  const auto feature = make_component<Feature>("feature/onehot");
  CHECK_THROWS_WITH_AS(
      feature->bind(Layout::string(13100, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
      doctest::Contains("strings of up to 13100 symbols out of 26 take 13100 x 26 columns, above "
                        "262144; use feature/spectrum"),
      Error);
}

}  // namespace
}  // namespace semblance::strings::onehot_test
