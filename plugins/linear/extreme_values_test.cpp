// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "extreme_values_testing.hpp"

namespace semblance::linear::extreme_values_test {
namespace {

using namespace common::testing;

void check_linear(Parameters parameters) {
  // Small, so that cases differ in nothing else.
  parameters.emplace_back("max_iterations", std::int64_t{200});
  check_extremes([&](double cost, const Data& data) {
    Parameters with = parameters;
    with.emplace_back("C", cost);
    TestContext context;
    const auto trained = train("solver/linear_svm", data, context, with);
    check_claim(trained.report, 1e-5);
    for (const float score : scores(*trained.solver, data).values) REQUIRE(!std::isnan(score));
  });
}

}  // namespace

TEST_CASE("l2: no extreme of C or scale is called converged that is not") { check_linear({}); }

TEST_CASE("l1: no extreme of C or scale is called converged that is not") {
  check_linear({{"regularizer", std::string("l1")}});
}

TEST_CASE("Crammer and Singer: no extreme of C or scale is called converged that is not") {
  check_linear({{"multiclass", std::string("crammer_singer")}});
}

TEST_CASE("a C out of range is refused, or its rounding is reported, never ignored") {
  const Data data = hard_data(1, 2);
  CHECK(training_error("solver/linear_svm", data, {{"C", 1e300}})
            .starts_with(
                "C = 1e+300 is more than 1e37, the largest value that float32 products can hold"));
  CHECK(training_error("solver/linear_svm", data,
                       {{"C", 1e300}, {"multiclass", std::string("crammer_singer")}})
            .starts_with("C = 1e+300 and rows of squared length "));
}

}  // namespace semblance::linear::extreme_values_test
