// SPDX-License-Identifier: MIT
#include "set_testing.hpp"

namespace semblance::sets::chamfer_test {
namespace {

using namespace testing;

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

TEST_CASE("chamfer distances by hand") {
  // (9 + 0) / 2 one way, (16 + 0 + 1) / 3 the other.
  CHECK(-measured("similarity/chamfer", negative(), 2, {0, 0, 3, 0}, {0, 4, 3, 0, 3, 1}) ==
        doctest::Approx(4.5 + 17.0 / 3));
  CHECK(measured("similarity/chamfer", negative(), 2, {1, 2, 3, 4}, {3, 4, 1, 2}) == 0);
}

TEST_CASE("chamfer distances agree with all pairs tried") {
  check_pairs("similarity/chamfer", negative(), Layout::set(30, 2), random_sets(12, 20, 2, 1),
              random_sets(12, 30, 2, 2), 1e-6, [](const Set& b, const Set& x) {
                return -mean_square(nearest_of(b, x, 2)) - mean_square(nearest_of(x, b, 2));
              });
}

TEST_CASE("chamfer keeps the contract of similarities") {
  check_contract("similarity/chamfer", {}, Layout::set(25, 3));
}

}  // namespace
}  // namespace semblance::sets::chamfer_test
