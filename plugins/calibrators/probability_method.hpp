// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "semblance/calibrator.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// A value of `method` of calibrator/probabilities.
class ProbabilityMethod {
 public:
  virtual ~ProbabilityMethod() = default;
  virtual void learn(const HeldOutScores& held_out, Report& report, Context& context) = 0;
  /// Thread-safe.
  virtual void map(std::span<const float> scores, std::span<float> probabilities) const = 0;
  /// map() as a formula.
  virtual Formula::Value write(Formula& formula, Formula::Value scores) const = 0;
  virtual void save(StateWriter& state) const = 0;
  virtual void load(const StateReader& state, std::size_t classes) = 0;
};

std::unique_ptr<ProbabilityMethod> make_sigmoid();
std::unique_ptr<ProbabilityMethod> make_isotonic();
std::unique_ptr<ProbabilityMethod> make_temperature();

/// @name Each class against the rest
/// More than two classes make one problem each, with the class's score. Two classes make a single
/// problem for the second class, with the difference of its score and that of the first.
/// @{
std::size_t problem_count(std::size_t classes) noexcept;
double problem_score(std::span<const float> scores, std::size_t problem) noexcept;
/// The scores of all problems as a formula, in float64.
Formula::Value problem_scores(Formula& formula, Formula::Value scores);
std::size_t class_of_problem(std::size_t problem, std::size_t classes) noexcept;

/// Score, class membership and weight of each sample. Samples of weight 0 are omitted.
struct Problem {
  std::vector<double> scores;
  std::vector<char> positive;
  std::vector<double> weights;
};
Problem problem_of(const HeldOutScores& held_out, std::size_t problem);

/// Probabilities from numbers that are proportional to them; where all are 0, they are equal.
void normalize(std::span<const double> shares, std::span<float> probabilities);
/// The same as a formula, for shares in float64.
Formula::Value normalized(Formula& formula, Formula::Value shares);
/// @}

}  // namespace semblance::calibrators
