// SPDX-License-Identifier: MIT
#include "semblance_numerics/convergence.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace semblance::convergence_test {

using numerics::Convergence;
using numerics::ConvergencePoint;

namespace {

/// The value after a step.
double value_at(std::size_t step) { return 1.0 / static_cast<double>(step); }

}  // namespace

TEST_CASE("a short course is recorded whole") {
  Convergence course;
  for (const std::size_t step : {1, 2, 3}) course.record(step, value_at(step));
  CHECK(course.points() == std::vector<ConvergencePoint>{{1, 1, 0}, {2, 0.5, 0}, {3, 1.0 / 3, 0}});
  CHECK(std::ranges::is_sorted(course.points(), {}, &ConvergencePoint::seconds));
}

TEST_CASE("a long course has few points, at even distances, and the last one") {
  Convergence course;
  constexpr std::size_t steps = 10'007;
  for (std::size_t step = 1; step <= steps; ++step) course.record(step, value_at(step));
  course.record_last(steps, value_at(steps));
  const auto& points = course.points();
  CHECK(points.size() <= Convergence::most_points);
  CHECK(points.size() > Convergence::most_points / 3);
  CHECK(points.front() == ConvergencePoint{1, 1, 0});
  CHECK(points.back() == ConvergencePoint{steps, value_at(steps), 0});
  const std::size_t distance = points[1].step - points[0].step;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    CHECK(points[i].step - points[i - 1].step == distance);
}

TEST_CASE("steps that are ever farther apart are all recorded") {
  Convergence course;
  for (const std::size_t step : {3, 5, 8, 13, 21}) course.record(step, value_at(step));
  CHECK(course.points().size() == 5);
}

TEST_CASE("a last value replaces an earlier one of the same step") {
  Convergence course;
  course.record(4, 0.5);
  course.record_last(4, 0.25);
  CHECK(course.points() == std::vector<ConvergencePoint>{{4, 0.25, 0}});
}

}  // namespace semblance::convergence_test
