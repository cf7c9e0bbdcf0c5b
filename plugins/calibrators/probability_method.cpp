// SPDX-License-Identifier: MIT
#include "probability_method.hpp"

namespace semblance::calibrators {

std::size_t problem_count(std::size_t classes) noexcept { return classes == 2 ? 1 : classes; }

double problem_score(std::span<const float> scores, std::size_t problem) noexcept {
  if (scores.size() == 2) return double{scores[1]} - double{scores[0]};
  return double{scores[problem]};
}

Formula::Value problem_scores(Formula& formula, Formula::Value scores) {
  const auto wide = formula.widen(scores);
  if (formula.width(wide) != 2) return wide;
  return formula.subtract(formula.gather(wide, {1}), formula.gather(wide, {0}));
}

std::size_t class_of_problem(std::size_t problem, std::size_t classes) noexcept {
  return classes == 2 ? 1 : problem;
}

Problem problem_of(const HeldOutScores& held_out, std::size_t problem) {
  const auto wanted = static_cast<std::int32_t>(class_of_problem(problem, held_out.classes.size()));
  Problem made;
  made.scores.reserve(held_out.labels.size());
  made.positive.reserve(held_out.labels.size());
  for (std::size_t i = 0; i < held_out.labels.size(); ++i) {
    if (held_out.weight(i) == 0) continue;
    made.scores.push_back(problem_score(held_out.scores.row_span(i), problem));
    made.positive.push_back(held_out.labels[i] == wanted ? 1 : 0);
    made.weights.push_back(held_out.weight(i));
  }
  return made;
}

void normalize(std::span<const double> shares, std::span<float> probabilities) {
  double sum = 0;
  for (const double share : shares) sum += share;
  for (std::size_t c = 0; c < shares.size(); ++c)
    probabilities[c] =
        static_cast<float>(sum > 0 ? shares[c] / sum : 1 / static_cast<double>(shares.size()));
}

Formula::Value normalized(Formula& formula, Formula::Value shares) {
  const auto sum = formula.sum(shares), zero = formula.number(0, sum);
  const auto equal = formula.number(1 / static_cast<double>(formula.width(shares)), sum);
  return formula.narrow(formula.where_greater(sum, zero, formula.divide(shares, sum), equal));
}

}  // namespace semblance::calibrators
