// SPDX-License-Identifier: MIT
#include "semblance/target_strata.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace target_strata_test {

using namespace semblance;

namespace {
using Strata = std::vector<std::int32_t>;
using Doubles = std::vector<double>;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("rows are ordered by their first target, ties by position, without unknown ones") {
  CHECK(order_of_targets(Doubles{3, 1, unknown, 1, -2}, 1) == std::vector<std::size_t>{4, 1, 3, 0});
  CHECK(order_of_targets(Doubles{2, 9, 1, unknown, unknown, 0}, 2) ==
        std::vector<std::size_t>{1, 0});
  CHECK(order_of_targets(Doubles{}, 1).empty());
}

TEST_CASE("strata have the wanted size, and the last one also what remains") {
  CHECK(target_strata(Doubles{7, 1, 6, 2, 5, 3, 4}, 1, 3) == Strata{1, 0, 1, 0, 1, 0, 1});
  CHECK(target_strata(Doubles{7, 1, unknown, 2}, 1, 2) == Strata{0, 0, -1, 0});
  CHECK(target_strata(Doubles{5, 5, 5, 5}, 1, 2) == Strata{0, 0, 1, 1});
  CHECK(target_strata(Doubles{2, 0, 1, 0}, 2, 1) == Strata{1, 0});
  CHECK(target_strata(Doubles{5}, 1, 4) == Strata{0});
  CHECK(target_strata(Doubles{}, 1, 4).empty());
  CHECK(target_strata(Doubles{1e-300, -1e300, 1e300, 0}, 1, 1) == Strata{2, 0, 3, 1});
}

}  // namespace target_strata_test
