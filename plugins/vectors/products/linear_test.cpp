// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::linear_test {
namespace {

using namespace testing;

TEST_CASE("linear is the inner product") {
  const FloatMatrix bases = normal_rows(21, 67, 1), samples = normal_rows(30, 67, 2);
  auto measure = make_component<Similarity>("similarity/linear");
  TestContext context;
  measure->bind(Layout::vector(67));
  measure->set_bases(bases.view(), first_indices(21), context);
  check_pairs(
      *measure, bases, samples, 1e-6, [](const float* b, const float* x) { return dot(b, x, 67); },
      [](const float* b, const float* x) { return std::sqrt(dot(b, b, 67) * dot(x, x, 67)); });
}

TEST_CASE("linear keeps the contract of similarities") {
  check_contract("similarity/linear", {}, Layout::grid(3, 4, 5));
}

}  // namespace
}  // namespace semblance::vectors::linear_test
