// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::holm_test {
namespace {

using Values = std::vector<std::optional<double>>;

void check(const Values& p, const Values& expected) {
  const auto corrected = holm_correction(p);
  REQUIRE(corrected.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(corrected[i].has_value() == expected[i].has_value());
    if (expected[i]) CHECK(*corrected[i] == doctest::Approx(*expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("the smallest is multiplied most, and the order is preserved") {
  check({0.01, 0.02, 0.03, 0.04, 0.05}, {0.05, 0.08, 0.09, 0.09, 0.09});
  check({0.04, 0.001, 0.03}, {0.06, 0.003, 0.06});
  check({0.9, 0.6}, {1.0, 1.0});
}

TEST_CASE("what was not tested does not count") {
  check({std::nullopt, 0.02, std::nan(""), 0.03}, {std::nullopt, 0.04, std::nullopt, 0.04});
  check({std::nullopt}, {std::nullopt});
  check({}, {});
}

}  // namespace
}  // namespace semblance::statistics::holm_test
