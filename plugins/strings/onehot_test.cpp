// SPDX-License-Identifier: MIT
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
