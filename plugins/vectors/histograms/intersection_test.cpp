// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::intersection_test {
namespace {

using namespace testing;

double intersection(const float* b, const float* x, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += std::min(b[k], x[k]);
  return sum;
}

TEST_CASE("intersection is the sum of minima") {
  const FloatMatrix bases = histogram_rows(21, 67, 1), samples = histogram_rows(30, 67, 2);
  auto measure = make_component<Similarity>("similarity/intersection");
  TestContext context;
  measure->bind(Layout::vector(67));
  measure->set_bases(bases.view(), first_indices(21), context);
  const auto oracle = [](const float* b, const float* x) { return intersection(b, x, 67); };
  check_pairs(*measure, bases, samples, 1e-6, oracle, oracle);
}

TEST_CASE("intersection refuses negative values") {
  auto measure = make_component<Similarity>("similarity/intersection");
  TestContext context;
  measure->bind(Layout::vector(1));
  const float bad = -1;
  CHECK_THROWS_WITH_AS(measure->set_bases({&bad, 1, 1, 1}, first_indices(1), context),
                       "basis 0, column 0 (both counted from 0) is -1, but intersection compares "
                       "histograms; use non-negative features, and no normalizer that can make "
                       "them negative, as zscore and min_max can",
                       Error);
}

TEST_CASE("intersection keeps the contract of similarities") {
  check_contract("similarity/intersection", {}, Layout::vector(29), true);
}

}  // namespace
}  // namespace semblance::vectors::intersection_test
