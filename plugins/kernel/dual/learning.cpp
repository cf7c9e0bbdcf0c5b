// SPDX-License-Identifier: MIT
#include "dual/learning.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "dual/solution_report.hpp"
#include "semblance/plain_check.hpp"

namespace semblance::kernel {
namespace {

/// Throws Error if an objective is one that no machine can have: the function 0 has these losses.
void check_objectives(const Solved& solved) {
  for (std::size_t p = 0; p < solved.solutions.size(); ++p) {
    // With another sum of coefficients than 0, that function is no solution.
    double losses = solved.task.start(p).empty() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < solved.task.variables(p); ++i) {
      const DualTask::Variable v = solved.task.variable(p, i);
      losses += v.cost * std::max(0.0, v.label * v.linear);
    }
    numerics::check_objective(solved.solutions[p], losses);
  }
}

/// check_rows() by the optimality conditions of the problems, for terms of the vectors.
MachineCheck check(const DualSetting& setting, const Solved& solved,
                   const LearnedFunctions& learned, bool repaired) {
  const DualTask& task = solved.task;
  const auto judge = [&](std::size_t place, const KernelValues& values) {
    RowViolation worst;
    for (std::size_t p = 0; p < task.count(); ++p) {
      std::optional<double> value;  // in the unit of the tolerance
      const numerics::DualSolution& s = solved.solutions[p];
      const double unit = task.unit(p), reported = unit * task.units(p).function;
      std::size_t before = 0;
      for (const numerics::Range& part : task.parts(p)) {
        const std::size_t i = before + (place - part.first);
        before += part.count;
        if (place - part.first >= part.count) continue;
        if (!value)
          value = values.sum(learned.terms[p], reported, worst) / reported + s.bias / unit;
        const DualTask::Variable v = task.variable(p, i);
        const double size = s.coefficients.empty() ? 0 : std::abs(s.coefficients[i]);
        const double margin = (1 - v.label * v.linear / unit) + v.label * *value;
        worst.add(numerics::optimality_violation(size, v.cost, margin), s.violation / unit,
                  s.certificate == Certificate::converged);
      }
    }
    return worst;
  };
  return check_rows({setting.kernel.kernel, learned.vectors.places, !repaired}, setting.samples,
                    judge, setting.context);
}

/// A solution with its figures as they are reported.
void take_units(const DualTask& task, std::size_t problem, numerics::DualSolution& s) {
  const DualTask::Units units = task.units(problem);
  const double unit = task.unit(problem);
  s.bias = s.bias * units.function + units.offset;
  for (double* figure : {&s.dual, &s.primal}) *figure *= units.objective;
  s.squared_norm *= units.squared_norm;
  s.sensitivity *= units.objective * unit;
  s.violation /= unit;
  s.rounding /= unit;
  for (numerics::ConvergencePoint& point : s.history) point.value /= unit;
}

}  // namespace

std::vector<Learned> learn(const DualSetting& setting, std::span<Solved> solved,
                           const RepairRecord& repair,
                           const std::function<std::string(std::size_t)>& problem_name,
                           Report& report) {
  const SortedSamples& samples = setting.samples;
  Terms terms;
  std::vector<char> support_vectors;
  for (Solved& some : solved) {
    check_objectives(some);
    const std::size_t first = terms.size();
    for (std::size_t p = 0; p < some.solutions.size(); ++p) {
      terms.push_back(some.task.terms(p, some.solutions[p]));
      some.solutions[p].vectors = terms.back().size();
      for (Term& term : terms.back()) term.coefficient *= some.task.units(p).function;
    }
    support_vectors = samples_used(std::span(terms).subspan(first), samples.order.size());
  }
  const MachineVectors vectors =
      choose_vectors(setting.kernel, samples, repair, terms, setting.context);
  std::vector<Learned> all;
  auto next = terms.begin();
  for (Solved& some : solved) {
    Learned& made = all.emplace_back();
    const auto end = next + static_cast<std::ptrdiff_t>(some.solutions.size());
    made.functions.terms.assign(std::move_iterator(next), std::move_iterator(end));
    next = end;
    made.functions.vectors = vectors;
    made.functions.centre = samples.centre;
    try {
      if (std::ranges::none_of(some.solutions, was_stopped))
        made.check = check(setting, some, made.functions, repair.spectrum.has_value());
    } catch (const Cancelled&) {  // a stop still requires a model
    }
    for (std::size_t p = 0; p < some.solutions.size(); ++p) {
      numerics::DualSolution& s = some.solutions[p];
      take_units(some.task, p, s);
      allow_error(made.check.apart, setting.options, s);
      made.functions.biases.push_back(s.bias);
    }
  }
  report_machine(all.back().check, support_vectors, samples, report);
  report_repair(repair, setting.kernel.semidefinite, report);
  report_solutions(solved.back().solutions, setting.options.tolerance, problem_name, report);
  return all;
}

void report_machine(const MachineCheck& check, const std::vector<char>& support_vectors,
                    const SortedSamples& rows, Report& report) {
  report_check(check.error, report);
  if (check.violation) report.number("check_violation", *check.violation);
  std::size_t count = 0, values = 0;
  for (std::size_t i = 0; i < support_vectors.size(); ++i)
    if (support_vectors[i]) {
      ++count;
      values += rows.size_of(i);
    }
  report.integer("support_vectors", static_cast<std::int64_t>(count));
  report.integer("parameters", static_cast<std::int64_t>(values + count));
}

}  // namespace semblance::kernel
