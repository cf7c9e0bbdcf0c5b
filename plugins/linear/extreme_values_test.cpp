// SPDX-License-Identifier: MIT
// Parameters and data so extreme that rounding dominates: a result that is wrong must not be called
// converged.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "kernel/kernel_svm_testing.hpp"
#include "linear_model.hpp"
#include "problem/linear_task.hpp"
#include "problem/solution.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "semblance/solver.hpp"
#include "solver_testing.hpp"

namespace semblance::linear {
namespace {

using namespace testing;

/// Clouds that overlap, with a constant column and every row given twice.
Data hard_data(double scale, std::size_t classes) {
  Data once = clouds(60, 4, classes);
  Data data{FloatMatrix(120, 5), {}, once.classes};
  for (std::size_t i = 0; i < 120; ++i) {
    for (std::size_t j = 0; j < 4; ++j)
      data.values.values[i * 5 + j] =
          static_cast<float>(scale * double{once.values.values[i / 2 * 4 + j]});
    data.values.values[i * 5 + 4] = static_cast<float>(3 * scale);
    data.labels.push_back(once.labels[i / 2]);
  }
  return data;
}

void check_claim(const MemoryReport& report, double tolerance) {
  const double objective = report.numbers.at("objective"), gap = report.numbers.at("duality_gap");
  CAPTURE(objective);
  CAPTURE(gap);
  if (report.texts.at("certificate") != "converged") return;
  CHECK(std::isfinite(objective));
  CHECK(std::abs(gap) <= tolerance);
}

/// Trains and checks the reported claims; an Error must say what to do.
template <class Train>
void check_extremes(const Train& train_one) {
  for (const double cost : {1e-300, 1e-30, 1e10, 1e30, 1e300})
    for (const double scale : {1e-30, 1.0, 1e15, 1e30})
      for (const std::size_t classes : {2, 3}) {
        CAPTURE(cost);
        CAPTURE(scale);
        CAPTURE(classes);
        try {
          train_one(cost, hard_data(scale, classes));
        } catch (const Error& error) {
          const std::string message = error.what();
          CAPTURE(message);
          const bool says_what_to_do = message.find("lower C") != std::string::npos ||
                                       message.find("scale") != std::string::npos ||
                                       message.find("smaller") != std::string::npos;
          CHECK(says_what_to_do);
        }
      }
}

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

template <class Kernel>
void check_kernel(const Parameters& of_kernel) {
  check_extremes([&](double cost, const Data& data) {
    TestContext context;
    const auto svm =
        kernel_svm<Kernel>({{"C", cost}, {"max_iterations", std::int64_t{100'000}}}, of_kernel);
    // Its criterion is the violation of the optimality conditions; the gap follows from it.
    const MemoryReport report = train(*svm, data, context);
    check_claim(report, 0.5);
    if (report.texts.at("certificate") == "converged") CHECK(report.numbers.at("violation") < 1e-3);
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

TEST_CASE("kernel machines: no extreme of C, scale or kernel is called converged that is not") {
  check_kernel("similarity/rbf", {{"gamma", 0.1}});
  check_kernel("similarity/rbf", {{"gamma", 1e-300}});
  check_kernel("similarity/rbf", {{"gamma", 1e300}});
  check_kernel("similarity/linear", {});
  check_kernel("similarity/polynomial", {{"degree", std::int64_t{9}}});
}

TEST_CASE("a C beyond the numbers is refused, or rounding is named, never passed over") {
  TestContext context;
  const Data data = hard_data(1, 2);
  CHECK(training_error("solver/linear_svm", data, {{"C", 1e300}})
            .starts_with(
                "C = 1e+300 is more than 1e37, the largest value that float32 products can hold"));
  CHECK(training_error("solver/linear_svm", data,
                       {{"C", 1e300}, {"multiclass", std::string("crammer_singer")}})
            .starts_with("C = 1e+300 and rows of squared length "));
  const auto svm =
      kernel_svm("similarity/rbf", {{"C", 1e300}, {"max_iterations", std::int64_t{100'000}}},
                 {{"gamma", 0.1}});
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "iteration limit");
}

}  // namespace semblance::linear
