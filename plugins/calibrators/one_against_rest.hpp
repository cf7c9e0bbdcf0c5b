// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/calibrator.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// Several classes make one problem each, the class against the rest, with its score. Two classes
/// make a single one, the second class, with how far its score is above that of the first.
std::size_t problem_count(std::size_t classes) noexcept;

/// The score of a row in a problem.
double problem_score(std::span<const float> scores, std::size_t problem) noexcept;

/// The scores of all problems written down, as float64.
Formula::Value problem_scores(Formula& formula, Formula::Value scores);

/// The class that a problem tells from the rest.
std::size_t class_of_problem(std::size_t problem, std::size_t classes) noexcept;

/// One problem: a score a row, whether the row is of the class, and how much it counts. Rows that
/// count nothing are left out.
struct Problem {
  std::vector<double> scores;
  std::vector<char> positive;
  std::vector<double> weights;
};
Problem problem_of(const HeldOutScores& held_out, std::size_t problem);

}  // namespace semblance::calibrators
