// SPDX-License-Identifier: MIT
#include "set_testing.hpp"

namespace semblance::sets::sum_match_test {
namespace {

using namespace testing;

Parameters parameters(double gamma, bool best, bool normalize) {
  return {{"gamma", gamma}, {"best", best}, {"normalize", normalize}};
}

double all_pairs(const Set& b, const Set& x, double gamma) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); i += 2)
    for (std::size_t j = 0; j < x.size(); j += 2) {
      const double distance = between(&b[i], &x[j], 2);
      sum += std::exp(-gamma * distance * distance);
    }
  return 4 * sum / static_cast<double>(b.size() * x.size());
}

double best_of(const Set& from, const Set& to, double gamma) {
  double sum = 0;
  for (const double distance : nearest_of(from, to, 2))
    sum += std::exp(-gamma * distance * distance);
  return 2 * sum / static_cast<double>(from.size());
}

TEST_CASE("matches of points by hand") {
  const Set b = {0, 0}, x = {1, 0, 0, 2};
  const double near = std::exp(-0.5), far = std::exp(-2.0);
  CHECK(measured("similarity/sum_match", parameters(0.5, false, false), 2, b, x) ==
        doctest::Approx((near + far) / 2));
  CHECK(measured("similarity/sum_match", parameters(0.5, true, false), 2, b, x) ==
        doctest::Approx((near + (near + far) / 2) / 2));
}

TEST_CASE("matches agree with all pairs tried") {
  const auto bases = random_sets(12, 20, 2, 1), samples = random_sets(12, 30, 2, 2);
  const Layout layout = Layout::set(30, 2);
  check_pairs("similarity/sum_match", parameters(0.7, false, false), layout, bases, samples, 1e-6,
              [](const Set& b, const Set& x) { return all_pairs(b, x, 0.7); });
  check_pairs("similarity/sum_match", parameters(0.7, false, true), layout, bases, samples, 1e-6,
              [](const Set& b, const Set& x) {
                return all_pairs(b, x, 0.7) /
                       std::sqrt(all_pairs(b, b, 0.7) * all_pairs(x, x, 0.7));
              });
  check_pairs(
      "similarity/sum_match", parameters(0.7, true, true), layout, bases, samples, 1e-6,
      [](const Set& b, const Set& x) { return (best_of(b, x, 0.7) + best_of(x, b, 0.7)) / 2; });
}

TEST_CASE("only the sum over all pairs is claimed to be positive semi-definite") {
  CHECK(make_component<Similarity>("similarity/sum_match", parameters(1, false, true))
            ->positive_semidefinite());
  CHECK_FALSE(make_component<Similarity>("similarity/sum_match", parameters(1, true, true))
                  ->positive_semidefinite());
}

TEST_CASE("sum_match keeps the contract of similarities") {
  check_contract("similarity/sum_match", {}, Layout::set(25, 3));
  check_contract("similarity/sum_match", parameters(2, true, true), Layout::set(25, 3));
}

}  // namespace
}  // namespace semblance::sets::sum_match_test
