// SPDX-License-Identifier: MIT
#include <numeric>

#include "set_testing.hpp"

namespace semblance::sets::hausdorff_test {
namespace {

using namespace testing;

Parameters parameters(const char* points, const char* direction) {
  return negative({{"points", std::string(points)}, {"direction", std::string(direction)}});
}

double brute_force(const Set& from, const Set& to, bool farthest) {
  const auto nearest = nearest_of(from, to, 3);
  if (farthest) return std::ranges::max(nearest);
  return std::accumulate(nearest.begin(), nearest.end(), 0.0) / static_cast<double>(nearest.size());
}

TEST_CASE("Hausdorff distances by hand") {
  const Set b = {0, 0, 3, 0}, x = {0, 4, 3, 0, 3, 1};
  const auto d = [&](const char* points, const char* direction) {
    return -measured("similarity/hausdorff", parameters(points, direction), 2, b, x);
  };
  CHECK(d("farthest", "from_basis") == 3);  // (0, 0) to (3, 0)
  CHECK(d("farthest", "from_sample") == 4);
  CHECK(d("farthest", "both") == 4);
  CHECK(d("average", "from_basis") == doctest::Approx(1.5));
  CHECK(d("average", "from_sample") == doctest::Approx(5.0 / 3));
  CHECK(d("average", "both") == doctest::Approx(5.0 / 3));
}

TEST_CASE("Hausdorff distances agree with all pairs tried") {
  const auto bases = random_sets(12, 20, 3, 1), samples = random_sets(12, 37, 3, 2);
  for (const bool farthest : {true, false}) {
    const char* points = farthest ? "farthest" : "average";
    const auto check = [&](const char* direction, const auto& oracle) {
      check_pairs("similarity/hausdorff", parameters(points, direction), Layout::set(37, 3), bases,
                  samples, 1e-6, oracle);
    };
    check("from_basis", [&](const Set& b, const Set& x) { return -brute_force(b, x, farthest); });
    check("from_sample", [&](const Set& b, const Set& x) { return -brute_force(x, b, farthest); });
    check("both", [&](const Set& b, const Set& x) {
      return -std::max(brute_force(b, x, farthest), brute_force(x, b, farthest));
    });
  }
}

TEST_CASE("hausdorff keeps the contract of similarities") {
  check_contract("similarity/hausdorff", {}, Layout::set(25, 2));
  check_contract("similarity/hausdorff", parameters("average", "from_sample"), Layout::set(25, 5));
}

}  // namespace
}  // namespace semblance::sets::hausdorff_test
