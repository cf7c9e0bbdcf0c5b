// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/calibrator.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// More than two classes make one problem each, the class against the rest, with its score. Two
/// classes make a single problem for the second class, with the difference of its score and that of
/// the first.
std::size_t problem_count(std::size_t classes) noexcept;

/// The score of a row in a problem.
double problem_score(std::span<const float> scores, std::size_t problem) noexcept;

/// The scores of all problems written down, as float64.
Formula::Value problem_scores(Formula& formula, Formula::Value scores);

/// The class that a problem separates from the rest.
std::size_t class_of_problem(std::size_t problem, std::size_t classes) noexcept;

/// One problem: score, class membership and weight of each sample. Samples of weight 0 are omitted.
struct Problem {
  std::vector<double> scores;
  std::vector<char> positive;
  std::vector<double> weights;
};
Problem problem_of(const HeldOutScores& held_out, std::size_t problem);

}  // namespace semblance::calibrators
