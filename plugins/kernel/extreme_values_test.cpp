// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "extreme_values_testing.hpp"
#include "kernel_svm_testing.hpp"

namespace semblance::kernel::extreme_values_test {
namespace {

using namespace testing;

void check_kernel(const char* kernel, const Parameters& of_kernel) {
  check_extremes([&](double cost, const Data& data) {
    TestContext context;
    const auto svm =
        kernel_svm(kernel, {{"C", cost}, {"max_iterations", std::int64_t{100'000}}}, of_kernel);
    // Its criterion is the violation of the optimality conditions; the gap follows from it.
    const MemoryReport report = train(*svm, data, context);
    check_claim(report, 0.5);
    if (report.texts.at("certificate") == "converged") CHECK(report.numbers.at("violation") < 1e-3);
  });
}

}  // namespace

TEST_CASE("kernel machines: no extreme of C, scale or kernel is called converged that is not") {
  check_kernel("similarity/rbf", {{"gamma", 0.1}});
  check_kernel("similarity/rbf", {{"gamma", 1e-300}});
  check_kernel("similarity/rbf", {{"gamma", 1e300}});
  check_kernel("similarity/linear", {});
  check_kernel("similarity/polynomial", {{"degree", std::int64_t{9}}});
}

TEST_CASE("with a C beyond the numbers, a machine without losses proves the optimum") {
  TestContext context;
  const Data data = hard_data(1, 2);
  const auto svm =
      kernel_svm("similarity/rbf", {{"C", 1e300}, {"max_iterations", std::int64_t{100'000}}},
                 {{"gamma", 0.1}});
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("duality_gap") < 1e-3);
}

}  // namespace semblance::kernel::extreme_values_test
