// SPDX-License-Identifier: MIT
#include "semblance_numerics/convergence.hpp"

#include <utility>

#include "semblance/error.hpp"

namespace semblance::numerics {

std::vector<double> numbers_of(const std::vector<ConvergencePoint>& points) {
  std::vector<double> numbers;
  numbers.reserve(3 * points.size());
  for (const ConvergencePoint& p : points)
    numbers.insert(numbers.end(), {static_cast<double>(p.step), p.value, p.seconds});
  return numbers;
}

std::vector<ConvergencePoint> points_of(std::span<const double> numbers) {
  std::vector<ConvergencePoint> points;
  for (; numbers.size() >= 3; numbers = numbers.subspan(3)) {
    if (!(numbers[0] >= 0 && numbers[0] < 1e15)) break;
    points.push_back({static_cast<std::size_t>(numbers[0]), numbers[1], numbers[2]});
  }
  if (!numbers.empty()) throw Error("the points of a convergence are damaged");
  return points;
}

void Convergence::record(std::size_t step, double value) {
  if (!points_.empty() && step == points_.back().step) return;
  if (points_.size() > 1 && step - points_.back().step < points_[1].step - points_[0].step) return;
  points_.push_back({step, value, seconds()});
  if (points_.size() < most_points) return;
  for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
  points_.resize((points_.size() + 1) / 2);
}

void Convergence::record_last(std::size_t step, double value) {
  const ConvergencePoint last{step, value, seconds()};
  if (points_.empty() || points_.back().step != step)
    points_.push_back(last);
  else if (points_.back() != last)
    points_.back() = last;
}

void Convergence::resume(std::vector<ConvergencePoint> points) {
  points_ = std::move(points);
  before_ = points_.empty() ? 0 : points_.back().seconds;
  begin_ = Clock::now();
}

}  // namespace semblance::numerics
