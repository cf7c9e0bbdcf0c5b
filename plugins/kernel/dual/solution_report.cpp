// SPDX-License-Identifier: MIT
#include "dual/solution_report.hpp"

#include <algorithm>
#include <cstdint>

#include "convergence_report.hpp"
#include "solver_figures.hpp"

namespace semblance::kernel {
namespace {

Table problem_table(const std::vector<numerics::DualSolution>& solutions,
                    const std::function<std::string(std::size_t)>& name) {
  Table table{"problems",
              "problem",
              "",
              {},
              {"objective", "relative gap", "support vectors", "bounded support vectors", "bias",
               "squared norm", "iterations"},
              {}};
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    const numerics::DualSolution& s = solutions[p];
    table.rows.push_back(name(p));
    for (const double value :
         {s.dual, numerics::relative_gap(s), static_cast<double>(s.vectors),
          static_cast<double>(s.bounded), s.bias, s.squared_norm, static_cast<double>(s.steps)})
      table.values.push_back(value);
  }
  return table;
}

}  // namespace

std::vector<FigureInfo> dual_figures() {
  return common::solver_figures({"objective", "duality_gap", "violation", "iterations",
                                 "working_sets", "check_error", "check_violation",
                                 "support_vectors", "parameters", "train_seconds"});
}

numerics::DualSolution sum_of(const std::vector<numerics::DualSolution>& solutions) {
  numerics::DualSolution sum;
  for (const numerics::DualSolution& s : solutions) {
    sum.certificate = std::max(sum.certificate, s.certificate);
    sum.dual += s.dual;
    sum.primal += s.primal;
    sum.violation = std::max(sum.violation, s.violation);
    sum.steps += s.steps;
    sum.rounds += s.rounds;
  }
  return sum;
}

bool was_stopped(const numerics::DualSolution& s) {
  return s.certificate == Certificate::deadline || s.certificate == Certificate::cancelled;
}

void report_doubt(const std::vector<numerics::DualSolution>& solutions,
                  const numerics::DualOptions& options, Report& report) {
  for (const numerics::DualSolution& s : solutions) {
    if (s.certificate != Certificate::iteration_limit) continue;
    if (const std::string why = doubt(s, options.tolerance, options.gap); !why.empty())
      return report.text("remedy", why);
  }
}

void report_solutions(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                      const std::function<std::string(std::size_t)>& problem_name, Report& report) {
  const numerics::DualSolution sum = sum_of(solutions);
  report.text("certificate", name(sum.certificate));
  report.number("objective", sum.dual);
  report.number("duality_gap", numerics::relative_gap(sum));
  report.number("violation", sum.violation);
  report.integer("iterations", static_cast<std::int64_t>(sum.steps));
  report.integer("working_sets", static_cast<std::int64_t>(sum.rounds));
  // Hundreds of classes make more problems than a page can show.
  constexpr std::size_t most_rows = 100'000;
  if (solutions.size() <= most_rows) report.table(problem_table(solutions, problem_name));
  // Of equally slow ones the first.
  const auto slowest = std::ranges::max_element(solutions, {}, &numerics::DualSolution::rounds);
  if (slowest != solutions.end())
    common::report_convergence(slowest->history, "working set", "violation", tolerance, report);
}

}  // namespace semblance::kernel
