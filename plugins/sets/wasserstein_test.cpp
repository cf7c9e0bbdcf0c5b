// SPDX-License-Identifier: MIT
#include "set_testing.hpp"

namespace semblance::sets::wasserstein_test {
namespace {

using namespace testing;

Parameters parameters(double order, const char* method) {
  return negative({{"order", order}, {"method", std::string(method)}});
}

/// For sets of equal size, by all permutations.
double brute_force(const Set& b, const Set& x, double order) {
  const std::size_t count = b.size() / 2;
  std::vector<std::size_t> to(count);
  for (std::size_t k = 0; k < count; ++k) to[k] = k;
  double best = INFINITY;
  do {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k)
      sum += std::pow(between(&b[2 * k], &x[2 * to[k]], 2), order);
    best = std::min(best, sum);
  } while (std::ranges::next_permutation(to).found);
  return std::pow(best / static_cast<double>(count), 1 / order);
}

TEST_CASE("Wasserstein distances by hand") {
  CHECK(-measured("similarity/wasserstein", parameters(1, "exact"), 2, {0, 0, 1, 0},
                  {1, 0, 2, 0}) == doctest::Approx(1));
  // One point to two: half of its mass to each.
  CHECK(-measured("similarity/wasserstein", parameters(1, "exact"), 2, {0, 0}, {3, 4, 0, 1}) ==
        doctest::Approx(3));
  CHECK(-measured("similarity/wasserstein", parameters(2, "exact"), 2, {0, 0}, {3, 4, 0, 1}) ==
        doctest::Approx(std::sqrt(13.0)));
  CHECK(-measured("similarity/wasserstein", parameters(1, "auto"), 1, {0, 1, 3}, {5, 6, 8}) ==
        doctest::Approx(5));  // scipy.stats.wasserstein_distance, its first example
}

TEST_CASE("Wasserstein distances agree with all permutations tried") {
  Random random(1);
  const auto sets = [&](std::size_t points) {
    std::vector<Set> made(6, Set(points * 2));
    for (Set& set : made)
      for (float& value : set) value = static_cast<float>(random.normal());
    return made;
  };
  for (const std::size_t points : {1u, 2u, 4u, 6u})
    for (const double order : {1.0, 2.0, 3.0})
      check_pairs("similarity/wasserstein", parameters(order, "auto"), Layout::set(6, 2),
                  sets(points), sets(points), 1e-6,
                  [&](const Set& b, const Set& x) { return -brute_force(b, x, order); });
}

TEST_CASE("Sinkhorn comes near to the exact distance from above, and says so where it does not") {
  const auto bases = random_sets(5, 40, 2, 1), samples = random_sets(5, 40, 2, 2);
  const Layout layout = Layout::set(40, 2);
  const FloatMatrix exact =
      measured("similarity/wasserstein", parameters(1, "exact"), layout, bases, samples);
  Parameters regularized = parameters(1, "sinkhorn");
  regularized.push_back({"epsilon", 0.01});
  const FloatMatrix near = measured("similarity/wasserstein", regularized, layout, bases, samples);
  for (std::size_t k = 0; k < 25; ++k) {
    CHECK(-near.values[k] >= -exact.values[k] * (1 - 1e-6));
    CHECK(-near.values[k] <= -exact.values[k] * 1.1);
  }
  regularized.push_back({"iterations", std::int64_t{2}});
  TestContext context;
  const auto measure = make_component<Similarity>("similarity/wasserstein", regularized);
  measure->bind(layout);
  measure->set_bases(rows_of(bases, layout).view(), {}, context);
  FloatMatrix out(5, 5);
  measure->apply(rows_of(samples, layout).view(), out.view(), context);
  measure->apply(rows_of(samples, layout).view(), out.view(), context);
  REQUIRE(context.lines.size() == 2);
  CHECK(context.lines[0] ==
        "distances are Sinkhorn's, above the exact ones, with a regularizer of epsilon: 0.01 times "
        "a pair's mean cost");
  CHECK(context.lines[1].find("did not converge within iterations: 2") != std::string::npos);
}

TEST_CASE("auto is exact for sets of any size") {
  const auto sets = random_sets(4, 20, 2, 3);
  const auto with = [&](const char* method, std::size_t largest) {
    return measured("similarity/wasserstein", parameters(1, method), Layout::set(largest, 2), sets,
                    sets)
        .values;
  };
  CHECK(with("auto", 128) == with("exact", 128));
  CHECK(with("auto", 129) == with("exact", 128));
  CHECK(with("auto", 4000) == with("exact", 128));
  CHECK(with("exact", 128) != with("sinkhorn", 128));
  const auto measure = make_component<Similarity>("similarity/wasserstein");
  CHECK_THROWS_WITH_AS(measure->bind(Layout::set(5000, 2)),
                       doctest::Contains("up to 5000 points are 5000 x 5000 numbers; at most 4096"),
                       Error);
  CHECK_NOTHROW(measure->bind(Layout::set(5000, 1)));
}

TEST_CASE("wasserstein keeps the contract of similarities") {
  check_contract("similarity/wasserstein", {}, Layout::set(15, 2));
  check_contract("similarity/wasserstein", {}, Layout::set(15, 1));
  check_contract("similarity/wasserstein", {{"method", std::string("sinkhorn")}, {"order", 2.0}},
                 Layout::set(15, 2));
}

}  // namespace
}  // namespace semblance::sets::wasserstein_test
