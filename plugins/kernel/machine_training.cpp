// SPDX-License-Identifier: MIT
#include "machine_training.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "class_problems.hpp"
#include "kernel_matrix.hpp"
#include "linear_refinement.hpp"
#include "machine_check.hpp"
#include "semblance/collectives.hpp"
#include "semblance/kept_bases.hpp"

namespace semblance::kernel {
namespace {

/// Whether ranks solve different problems, which needs all samples on each rank. They do if these
/// fit and there are several problems.
bool fits_everywhere(const MachineTask& task, const SortedSamples& rows, Context& context) {
  if (rows.starts.size() == 3) return false;
  const std::size_t bytes =
      rows.bytes_with_bases() +
      comfortable_bytes(rows.starts, task.one_versus_one, task.options.shrinking);
  return context.collectives().all(bytes <= context.memory_budget());
}

/// The kernel matrix of a training, as the solver reads it.
struct KernelMatrix {
  std::unique_ptr<numerics::KernelSource> source;
  std::vector<std::uint32_t> owners = {};  // for a collective source: the rank of each column
  FloatMatrix values = {};                 // of a kernel not known to be positive semi-definite
  RepairRecord repair = {};
  std::size_t bytes = 0;  // with the samples and the kernel's copy
};

/// Makes the samples the bases of the kernel.
KernelMatrix kernel_matrix(const MachineTask& task, const SortedSamples& rows, Context& context) {
  const std::size_t n = rows.rows.rows();
  KernelMatrix made;
  made.bytes = rows.bytes_with_bases();
  if (!task.semidefinite) check_matrix_memory(task.repair, n, made.bytes, context);
  if (!rows.spread) rows.set_bases(task.kernel, context);
  if (rows.spread) {
    made.bytes /= context.collectives().ranks();
    auto shared = std::make_unique<DistributedSource>(task.kernel, rows, context);
    made.owners = shared->owners();
    made.source = std::move(shared);
  } else if (task.semidefinite) {
    made.source = std::make_unique<SimilaritySource>(task.kernel, rows, context);
  } else {
    try {
      made.values = symmetric_part(task.kernel, rows, context);
      made.repair = make_semidefinite(task.repair, task.negative_weight, made.values, context);
    } catch (const Cancelled&) {
      // The solver notices the stop request before reading any value.
      made.values = FloatMatrix(n, n);
    }
    made.source = std::make_unique<numerics::MatrixSource>(std::as_const(made.values).view());
    made.bytes += n * n * sizeof(float) + (made.repair.spectrum ? n * n * sizeof(double) : 0);
  }
  return made;
}

std::vector<numerics::DualSolution> solve_problems(const MachineTask& task,
                                                   const TrainingSet& training,
                                                   const SortedSamples& rows,
                                                   const ClassProblems& problems, std::size_t bytes,
                                                   Context& context) {
  auto solutions = solve_all(problems, task.options, bytes, context);
  if (task.linear && context.stop_requested() == StopReason::none) {
    try {
      refine_linear(training, rows, problems, task.options, bytes, solutions, context);
    } catch (const Cancelled&) {
      for (numerics::DualSolution& s : solutions)
        s.certificate = std::max(s.certificate, stop_certificate(context));
    }
  }
  return solutions;
}

/// The terms of each problem, whose vectors are places among the sorted samples.
using Terms = std::vector<std::vector<Term>>;

Terms terms_of(const ClassProblems& problems, const std::vector<Opponents>& pairs,
               const std::vector<numerics::DualSolution>& solutions) {
  Terms terms(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t i = 0; i < solutions[p].coefficients.size(); ++i)
      if (const double b = solutions[p].coefficients[i]; b != 0)
        terms[p].push_back({row_of(problems, pairs[p], i), b});
  return terms;
}

/// Whether each of n samples has a coefficient in any problem.
std::vector<char> samples_used(const Terms& terms, std::size_t n) {
  std::vector<char> used(n);
  for (const auto& problem : terms)
    for (const Term& term : problem) used[term.vector] = 1;
  return used;
}

/// The samples with a coefficient, and their total number of values.
void report_vectors(const std::vector<char>& used, const SortedSamples& rows, Report& report) {
  std::size_t count = 0, values = 0;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) {
      ++count;
      values += rows.size_of(i);
    }
  report.integer("support_vectors", static_cast<std::int64_t>(count));
  report.integer("parameters", static_cast<std::int64_t>(values + count));
}

/// Converts the terms to coefficients of all samples on unrepaired similarities.
void spread(std::vector<Term>& terms, const RepairRecord& record, std::vector<char>& used) {
  if (terms.empty()) return;
  std::vector<double> coefficients(used.size());
  for (const Term& term : terms) coefficients[term.vector] = term.coefficient;
  numerics::repair_coefficients(record.how, *record.spectrum, coefficients, record.negative_weight);
  terms.clear();
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    terms.push_back({i, coefficients[i]});
    used[i] = 1;
  }
}

/// The vectors of a machine: samples by place, class after class.
struct MachineVectors {
  std::vector<std::size_t> places;
  std::vector<std::size_t> starts{0};  // the first vector of each class, and their number
};

/// Makes the used samples the vectors of the terms.
MachineVectors take_vectors(const std::vector<char>& used, const SortedSamples& rows,
                            Terms& terms) {
  MachineVectors vectors;
  std::vector<std::size_t> number(used.size());
  for (std::size_t c = 0; c + 1 < rows.starts.size(); ++c) {
    for (std::size_t i = rows.starts[c]; i < rows.starts[c + 1]; ++i)
      if (used[i]) {
        number[i] = vectors.places.size();
        vectors.places.push_back(i);
      }
    vectors.starts.push_back(vectors.places.size());
  }
  for (auto& problem : terms)
    for (Term& term : problem) term.vector = number[term.vector];
  return vectors;
}

bool was_stopped(const numerics::DualSolution& s) {
  return s.certificate == Certificate::deadline || s.certificate == Certificate::cancelled;
}

/// Builds the machine from the solutions and checks it.
KernelMachine build_machine(const MachineTask& task, const ClassProblems& problems,
                            const std::vector<numerics::DualSolution>& solutions,
                            const SortedSamples& rows, const RepairRecord& repair, Report& report,
                            Context& context) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  Terms terms = terms_of(problems, pairs, solutions);
  std::vector<char> used = samples_used(terms, rows.order.size());
  const std::vector<char> support_vectors = used;
  if (repair.spectrum && repair.how != numerics::SpectrumRepair::shift)
    for (auto& problem : terms) spread(problem, repair, used);
  // Such a kernel would learn something else (another width) from only some of the samples than in
  // training.
  if (task.kernel.learns_from_bases()) std::ranges::fill(used, 1);
  // A machine without support vectors has only biases, but a similarity needs a basis.
  if (std::count(used.begin(), used.end(), 1) == 0) used[0] = 1;
  const MachineVectors vectors = take_vectors(used, rows, terms);
  rows.set_bases(task.kernel, vectors.places, context);
  MachineCheck check;
  try {
    if (std::ranges::none_of(solutions, was_stopped))
      check = check_machine({task.kernel, problems, solutions, terms, vectors.places,
                             !repair.spectrum, !task.semidefinite},
                            rows, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  std::vector<double> biases;
  biases.reserve(solutions.size());
  for (const numerics::DualSolution& s : solutions) biases.push_back(s.bias);
  KernelMachine machine(problems.classes(), problems.one_versus_one, std::move(biases), terms,
                        vectors.starts);
  if (!rows.centre.empty())
    machine.move_centre(dynamic_cast<const KeptBases&>(task.kernel), rows.centre);
  if (check.error) report.number("check_error", *check.error);
  if (check.violation) report.number("check_violation", *check.violation);
  report_vectors(support_vectors, rows, report);
  return machine;
}

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

/// Reports why a solution does not meet `tolerance`, for one such solution if any.
void report_doubt(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                  Report& report) {
  for (const numerics::DualSolution& s : solutions) {
    if (s.certificate != Certificate::iteration_limit) continue;
    if (const std::string why = doubt(s, tolerance); !why.empty())
      return report.text("remedy", why);
  }
}

/// Reports the figures of all problems together and a table of them; `pairs` are their classes.
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

/// Reports the handling of an indefinite kernel. `known`: the kernel is known to be positive
/// semi-definite.
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

}  // namespace

KernelMachine train_machine(const MachineTask& task, const TrainingSet& training, Report& report,
                            Context& context) {
  SortedSamples spread(training, context);
  if (task.linear) spread.centre = far_centre(training, context);
  std::optional<MatrixRows> all;
  if (spread.spread && fits_everywhere(task, spread, context))
    all.emplace(gather_all(training.rows, training.layout, spread.sizes, context));
  const SortedSamples& rows = all ? spread.of(*all) : spread;
  KernelMatrix matrix = kernel_matrix(task, rows, context);
  std::vector<double> costs;
  costs.reserve(rows.order.size());
  for (const std::uint32_t row : rows.order) costs.push_back(task.costs[row]);
  const ClassProblems problems{*matrix.source, rows.starts, std::move(costs), task.one_versus_one,
                               std::move(matrix.owners)};
  const std::size_t budget = context.memory_budget();
  const std::size_t left = budget > matrix.bytes ? budget - matrix.bytes : 0;
  const auto solutions = solve_problems(task, training, rows, problems, left, context);
  report_doubt(solutions, task.options.tolerance, report);
  report_solutions(solutions, opponents(problems.classes(), problems.one_versus_one),
                   training.classes, report);
  report_repair(matrix.repair, task.semidefinite, report);
  return build_machine(task, problems, solutions, rows, matrix.repair, report, context);
}

}  // namespace semblance::kernel
