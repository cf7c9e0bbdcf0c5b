// SPDX-License-Identifier: MIT
#include "kernel_report.hpp"

#include <algorithm>

namespace semblance::kernel {
namespace {

double relative_gap(double gap, double primal) { return primal > 0 ? gap / primal : 0; }

std::string problem_name(const Opponents& pair, std::span<const std::string> classes) {
  const auto name = [&](std::int32_t c) { return classes[static_cast<std::size_t>(c)]; };
  return name(pair.positive) + (pair.negative == Opponents::rest
                                    ? " against the rest"
                                    : " against " + name(pair.negative));
}

Table problem_table(const std::vector<numerics::DualSolution>& solutions,
                    const std::vector<Opponents>& pairs, std::span<const std::string> classes) {
  Table table{"problems",
              "problem",
              "",
              {},
              {"objective", "relative gap", "support vectors", "bounded support vectors", "bias",
               "squared norm"},
              {}};
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const numerics::DualSolution& s = solutions[p];
    table.rows.push_back(problem_name(pairs[p], classes));
    for (const double value :
         {s.dual, relative_gap(s.primal + s.dual, s.primal), static_cast<double>(s.vectors),
          static_cast<double>(s.bounded), s.bias, s.squared_norm})
      table.values.push_back(value);
  }
  return table;
}

}  // namespace

void report_doubt(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                  Report& report) {
  for (const numerics::DualSolution& s : solutions) {
    if (s.certificate != Certificate::iteration_limit) continue;
    if (const std::string why = doubt(s, tolerance); !why.empty())
      return report.text("remedy", why);
  }
}

void report_solutions(const std::vector<numerics::DualSolution>& solutions,
                      const std::vector<Opponents>& pairs, std::span<const std::string> classes,
                      Report& report) {
  numerics::DualSolution sum;
  for (const numerics::DualSolution& s : solutions) {
    sum.certificate = std::max(sum.certificate, s.certificate);
    sum.dual += s.dual;
    sum.primal += s.primal;
    sum.violation = std::max(sum.violation, s.violation);
    sum.steps += s.steps;
    sum.rounds += s.rounds;
  }
  report.text("certificate", name(sum.certificate));
  report.number("objective", sum.dual);
  report.number("duality_gap", relative_gap(sum.primal + sum.dual, sum.primal));
  report.number("violation", sum.violation);
  report.integer("iterations", static_cast<std::int64_t>(sum.steps));
  report.integer("working_sets", static_cast<std::int64_t>(sum.rounds));
  // Hundreds of classes make more problems than a page can show.
  constexpr std::size_t most_rows = 100'000;
  if (pairs.size() <= most_rows) report.table(problem_table(solutions, pairs, classes));
}

void report_repair(const RepairRecord& record, bool known, Report& report) {
  if (known) {
    report.text("repair", "not needed: the kernel is positive semi-definite by construction");
    return;
  }
  if (!record.done) return report.text("repair", "not done: stopped earlier");
  constexpr const char* names[] = {
      "none: no eigenvalue is below -tolerance", "clip", "flip", "shift", "square", "krein"};
  report.text("repair", names[static_cast<std::size_t>(record.how)]);
  report.number("eigenvalue_tolerance", record.tolerance);
  if (!record.spectrum) return;
  report.number("smallest_eigenvalue", record.spectrum->values.front());
  report.number("largest_eigenvalue", record.spectrum->values.back());
  report.integer("negative_eigenvalues",
                 static_cast<std::int64_t>(record.spectrum->negative(record.tolerance)));
}

}  // namespace semblance::kernel
