// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::polynomial_test {
namespace {

using namespace testing;

TEST_CASE("polynomial is a power of the scaled inner product") {
  const FloatMatrix bases = normal_rows(21, 40, 1), samples = normal_rows(30, 40, 2);
  for (std::int64_t degree : {1, 2, 3, 5}) {
    auto measure = make_component<Similarity>(
        "similarity/polynomial", {{"degree", degree}, {"offset", 0.5}, {"scale", 0.02}});
    TestContext context;
    measure->bind(Layout::vector(40));
    measure->set_bases(bases.view(), first_indices(21), context);
    check_pairs(
        *measure, bases, samples, 2e-6,
        [=](const float* b, const float* x) {
          return std::pow(0.02 * dot(b, x, 40) + 0.5, double(degree));
        },
        [=](const float* b, const float* x) {
          return std::pow(0.02 * std::sqrt(dot(b, b, 40) * dot(x, x, 40)) + 0.5, double(degree));
        });
  }
}

TEST_CASE("polynomial is positive semidefinite unless its offset is negative") {
  for (const double offset : {-0.5, 0.0, 0.5})
    CHECK(make_component<Similarity>("similarity/polynomial", {{"offset", offset}})
              ->positive_semidefinite() == (offset >= 0));
}

TEST_CASE("polynomial keeps the contract of similarities") {
  check_contract("similarity/polynomial", {{"degree", std::int64_t{3}}}, Layout::vector(29));
}

TEST_CASE("polynomial learns its scale from the bases") {
  const FloatMatrix bases = normal_rows(21, 9, 1), samples = normal_rows(30, 9, 2);
  double mean = 0, squares = 0;
  for (const float x : bases.values) mean += x / 189;
  for (const float x : bases.values) squares += (x - mean) * (x - mean) / 189;
  auto measure = make_component<Similarity>("similarity/polynomial",
                                            {{"scale", std::string("scale")}, {"offset", 0.0}});
  TestContext context;
  measure->bind(Layout::vector(9));
  measure->set_bases(bases.view(), first_indices(21), context);
  check_pairs(
      *measure, bases, samples, 1e-5,
      [&](const float* b, const float* x) { return std::pow(dot(b, x, 9) / (9 * squares), 2); },
      [](const float*, const float*) { return 1.0; });
  check_contract("similarity/polynomial", {{"scale", std::string("scale")}}, Layout::vector(9));
}

}  // namespace
}  // namespace semblance::vectors::polynomial_test
