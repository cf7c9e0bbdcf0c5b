// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace semblance::numerics {

/// What a solver stops by, such as its duality gap, after one of its steps.
struct ConvergencePoint {
  std::size_t step = 0;
  double value = 0;
  double seconds = 0;  ///< since the solver began; differs between runs

  /// The time is no part of the result.
  friend bool operator==(const ConvergencePoint& a, const ConvergencePoint& b) noexcept {
    return a.step == b.step && a.value == b.value;
  }
};

/// How a solver approaches its tolerance, in a bounded number of points: whenever they are many,
/// every second one is dropped, and from then on every second step is recorded. Which steps are
/// recorded depends on the steps alone.
class Convergence {
 public:
  /// More than a chart needs.
  static constexpr std::size_t most_points = 256;

  /// Takes the value after a step; the steps do not decrease, and the first value of one counts.
  void record(std::size_t step, double value);
  /// The same for the last step, which is always recorded.
  void record_last(std::size_t step, double value);

  const std::vector<ConvergencePoint>& points() const noexcept { return points_; }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  std::vector<ConvergencePoint> points_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace semblance::numerics
