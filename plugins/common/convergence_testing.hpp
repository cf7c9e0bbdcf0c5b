// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "semblance/testing.hpp"

namespace semblance::common::testing {

inline const auto tests_begin = std::chrono::steady_clock::now();

/// Checks that a solver that has converged reports its way to the tolerance, over steps of this
/// name and over time, and that it ends at `last`.
inline void check_convergence(const semblance::testing::MemoryReport& report,
                              const std::string& step, double tolerance, double last) {
  REQUIRE(report.texts.at("certificate") == "converged");
  REQUIRE(report.curves.contains("convergence_by_" + step));
  const Curve& steps = report.curves.at("convergence_by_" + step);
  const Curve& seconds = report.curves.at("convergence_by_seconds");
  CHECK(steps.x.size() > 1);
  CHECK(std::ranges::is_sorted(steps.x, std::less_equal()));
  CHECK(std::ranges::is_sorted(seconds.x));
  CHECK(seconds.x.front() >= 0);
  const std::chrono::duration<double> since_then = std::chrono::steady_clock::now() - tests_begin;
  CHECK(seconds.x.back() < since_then.count());
  CHECK(steps.y == seconds.y);
  CHECK(steps.y.front() > tolerance);
  CHECK(steps.y.back() <= tolerance);
  CHECK(steps.y.back() == doctest::Approx(last));
  CHECK(report.curves.at("convergence_by_" + step + "_tolerance").y ==
        std::vector<double>{tolerance, tolerance});
  CHECK(report.curves.at("convergence_by_seconds_tolerance").x.back() == seconds.x.back());
}

}  // namespace semblance::common::testing
