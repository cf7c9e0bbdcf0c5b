// SPDX-License-Identifier: MIT
#include "sparse/dual_descent.hpp"

#include <algorithm>

#include "sparse/projected_newton.hpp"

namespace semblance::linear {
namespace {

/// `variables`: of each problem, changed from those of a smaller cost.
Solution solve(const SparseTask& samples, double cost, std::vector<std::vector<double>>& variables,
               Context& context) {
  const LinearTask& task = samples.task();
  const std::size_t n = task.problems(), threads = std::max<std::size_t>(context.threads(), 1);
  Solution solution;
  solution.weights = Vectors<double>(n, task.dimension());
  solution.outcomes.assign(n, {0, 0, 1});
  const auto record = [&] {
    solution.record(task.tolerance, "pass", n, context, ", with projected Newton steps");
  };
  std::vector<ProjectedNewton::Result> results(n);
  context.parallel_for(n, [&](std::size_t c) {
    ProjectedNewton problem(samples, c, cost, (threads + n - 1) / n, context);
    if (n == 1)
      problem.after_evaluations([&](const ProjectedNewton::Result& at) {
        solution.outcomes.front() = at.outcome;
        solution.iterations = at.passes;
        record();
      });
    results[c] = problem.solve(variables[c]);
  });
  for (std::size_t c = 0; c < n; ++c) {
    solution.outcomes[c] = results[c].outcome;
    solution.start_norms.push_back(results[c].start_norm);
    std::ranges::copy(results[c].weights, solution.weights.row(c));
    solution.sweeps +=
        results[c].rows_read / static_cast<double>(std::max<std::size_t>(samples.rows(), 1));
    solution.iterations = std::max(solution.iterations, results[c].passes);
    solution.certificate = std::max(solution.certificate, results[c].certificate);
  }
  if (n > 1) record();
  return solution;
}

}  // namespace

std::vector<Solution> descend_dual(const LinearTask& task, Context& context) {
  const SparseTask samples(task, context);
  std::vector<std::vector<double>> variables(task.problems(), std::vector<double>(samples.rows()));
  std::vector<Solution> solutions;
  for (const double cost : task.costs)
    solutions.push_back(solve(samples, cost, variables, context));
  return solutions;
}

std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept {
  // The results and the solution; the variables; the rows' squares and products with the centre.
  return (2 * problems * (dimension + 1) + (problems + 2) * rows) * sizeof(double) +
         std::min(threads, problems) * ProjectedNewton::bytes(rows, dimension);
}

}  // namespace semblance::linear
