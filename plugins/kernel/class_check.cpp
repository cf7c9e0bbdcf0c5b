// SPDX-License-Identifier: MIT
#include "class_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace semblance::kernel {
namespace {

/// The problems that contain each class.
std::vector<std::vector<std::size_t>> problems_of_classes(const std::vector<Opponents>& pairs,
                                                          std::size_t classes) {
  std::vector<std::vector<std::size_t>> of(classes);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (pairs[p].negative == Opponents::rest) {
      for (auto& problems : of) problems.push_back(p);
    } else {
      of[static_cast<std::size_t>(pairs[p].positive)].push_back(p);
      of[static_cast<std::size_t>(pairs[p].negative)].push_back(p);
    }
  return of;
}

/// The variable of a row in a problem: the inverse of row_of().
std::size_t variable_of(const ClassProblems& p, const Opponents& pair, std::size_t row,
                        std::size_t c) {
  if (!p.one_versus_one || p.classes() == 2) return row;
  const auto positive = static_cast<std::size_t>(pair.positive);
  const std::size_t before = c == positive ? 0 : p.rows(positive).count;
  return before + row - p.starts[c];
}

/// Throws Error if an objective is one that no machine can have.
void check_objectives(const MachineParts& parts) {
  const ClassProblems& problems = parts.problems;
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  const auto cost_of = [&](std::size_t c) {
    const numerics::Range range = problems.rows(c);
    const auto first = problems.costs.begin() + static_cast<std::ptrdiff_t>(range.first);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(range.count), 0.0);
  };
  std::vector<double> costs(problems.classes());
  for (std::size_t c = 0; c < costs.size(); ++c) costs[c] = cost_of(c);
  const double all = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    numerics::check_objective(parts.solutions[p],
                              pairs[p].negative == Opponents::rest
                                  ? all
                                  : costs[static_cast<std::size_t>(pairs[p].positive)] +
                                        costs[static_cast<std::size_t>(pairs[p].negative)]);
}

}  // namespace

MachineCheck check_machine(const MachineParts& parts, const SortedSamples& rows, Context& context) {
  check_objectives(parts);
  const ClassProblems& problems = parts.problems;
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  const auto of_class = problems_of_classes(pairs, problems.classes());
  const auto judge = [&](std::size_t place, MatrixView, const KernelValues& values) {
    RowViolation worst;
    const auto after = std::ranges::upper_bound(problems.starts, place);
    const auto c = static_cast<std::size_t>(after - problems.starts.begin()) - 1;
    for (const std::size_t p : of_class[c]) {
      const numerics::DualSolution& solution = parts.solutions[p];
      const double decision = solution.bias + values.sum(parts.terms[p], 1, worst);
      const bool positive = c == static_cast<std::size_t>(pairs[p].positive);
      const double margin = positive ? decision : -decision, cost = problems.costs[place];
      const std::size_t variable = variable_of(problems, pairs[p], place, c);
      const double alpha =
          solution.coefficients.empty() ? 0 : std::abs(solution.coefficients[variable]);
      worst.add(numerics::optimality_violation(alpha, cost, margin), solution.violation,
                solution.certificate == Certificate::converged);
    }
    return worst;
  };
  return check_rows(parts.machine, rows, judge, context);
}

}  // namespace semblance::kernel
