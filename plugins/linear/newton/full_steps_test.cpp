// SPDX-License-Identifier: MIT
#include "newton/full_steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solver_testing.hpp"

namespace full_steps_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::common::testing;

TEST_CASE("full steps continue while the number of changing rows falls now and then") {
  FullSteps steps(2);
  steps.begin(std::array<std::size_t, 1>{1});
  CHECK_FALSE(steps.takes(0));
  for (const double changes : {90.0, 100.0, 95.0, 91.0, 80.0, 70.0, 71.0})
    CHECK(steps.continues(1, changes));
  CHECK(steps.takes(1));
}

TEST_CASE("full steps that cycle end") {
  FullSteps steps(1);
  steps.begin(std::array<std::size_t, 1>{0});
  for (const double changes : {9.0, 9.0, 10.0, 9.0}) CHECK(steps.continues(0, changes));
  CHECK_FALSE(steps.continues(0, 9));
  CHECK_FALSE(steps.takes(0));
  CHECK(steps.failed(0));
}

TEST_CASE("a full step that changes no row is the last one") {
  FullSteps steps(1);
  steps.begin(std::array<std::size_t, 1>{0});
  CHECK(steps.continues(0, 5));
  CHECK(steps.continues(0, 0));
  CHECK_FALSE(steps.takes(0));
  CHECK_FALSE(steps.failed(0));
}

TEST_CASE("full steps end at the optimum of steps with a line search") {
  // Similarities of points on a line to 80 of them, of a size as without normalization.
  Random random(3);
  Data data{FloatMatrix(400, 80), {}, {"a", "b", "c"}};
  std::vector<double> points(400);
  for (double& x : points) x = 20 * random.uniform();
  for (std::size_t i = 0; i < 400; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(points[i]) % 3);
    for (std::size_t j = 0; j < 80; ++j)
      data.values.values[i * 80 + j] =
          static_cast<float>(100 * std::exp(-(points[i] - points[j]) * (points[i] - points[j])));
  }
  TestContext full, searched;
  const auto trained = train("solver/linear_svm", data, full, {{"tolerance", 1e-7}});
  // With a diagonal preconditioner there are no full steps.
  const auto other = train("solver/linear_svm", data, searched,
                           {{"tolerance", 1e-7}, {"preconditioner", std::string("diagonal")}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("objective") ==
        doctest::Approx(other.report.numbers.at("objective")).epsilon(2e-7));
  const auto split = [](const TestContext& context) {
    return std::ranges::any_of(context.lines, [](const std::string& line) {
      return line.find("splitting, ") != std::string::npos;
    });
  };
  CHECK(split(full));
  CHECK_FALSE(split(searched));
}

}  // namespace full_steps_test
