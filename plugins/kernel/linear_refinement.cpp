// SPDX-License-Identifier: MIT
#include "linear_refinement.hpp"

#include <algorithm>

#include "linear_functions.hpp"
#include "sample_variables.hpp"

namespace semblance::kernel {
namespace {

/// The labels and costs of a problem's variables.
numerics::DualProblem outline(const ClassProblems& problems, const Opponents& pair,
                              std::size_t variables) {
  numerics::DualProblem outline;
  const auto positive = problems.rows(static_cast<std::size_t>(pair.positive));
  for (std::size_t i = 0; i < variables; ++i) {
    const std::size_t place = row_of(problems, pair, i);
    const bool is_positive = place - positive.first < positive.count;
    outline.labels.push_back(static_cast<signed char>(is_positive ? 1 : -1));
    outline.costs.push_back(problems.costs[place]);
  }
  return outline;
}

}  // namespace

void refine_linear(const TrainingSet& training, const SortedSamples& rows,
                   const ClassProblems& problems, const numerics::DualOptions& options,
                   std::size_t bytes, std::vector<numerics::DualSolution>& solutions,
                   Context& context) {
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  for (std::size_t pass = 0; pass <= most_linear_passes; ++pass) {
    InitialStates states;
    const SampleVariables variables(training, rows, problems);
    const auto coefficient = [&](std::size_t problem, std::size_t row) {
      return variables.coefficient(solutions[problem], problem, row);
    };
    const auto wanted = [&](std::size_t problem, std::size_t row) {
      return variables.of(problem, row).has_value();
    };
    const LinearFunctions functions(training, rows.centre, pairs.size(), coefficient, wanted,
                                    context);
    for (std::size_t first = 0; first < pairs.size(); first += functions.at_once()) {
      const std::size_t count = std::min(functions.at_once(), pairs.size() - first);
      const std::vector<double> values = functions.values(first, count);
      for (std::size_t q = 0; q < count; ++q) {
        numerics::DualSolution& s = solutions[first + q];
        if (s.coefficients.empty()) continue;
        const auto outlined = outline(problems, pairs[first + q], s.coefficients.size());
        std::vector<double> gradients(s.coefficients.size());
        for (std::size_t i = 0; i < gradients.size(); ++i) {
          const std::uint32_t row = rows.order[row_of(problems, pairs[first + q], i)];
          gradients[i] = values[row * count + q] - outlined.labels[i];
        }
        take_gradients(outlined, gradients, s);
        if (s.certificate > Certificate::iteration_limit || s.steps >= options.most_steps ||
            s.violation < options.tolerance)
          continue;
        states[first + q] = warm_start(s, std::move(gradients));
        states[first + q].steps = s.steps;
        states[first + q].rounds = std::max(s.rounds, std::size_t{1});
      }
    }
    if (states.empty()) return;
    if (pass == most_linear_passes) {
      for (const auto& [problem, state] : states)
        solutions[problem].certificate =
            std::max(solutions[problem].certificate, Certificate::iteration_limit);
      return warn_not_refined(context);
    }
    solutions =
        solve_all(problems, options, bytes, context, std::move(states), std::move(solutions));
  }
}

}  // namespace semblance::kernel
