// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "convergence_report.hpp"
#include "kernels/pair_columns.hpp"
#include "machines/pair_machine.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance/plain_check.hpp"
#include "semblance_numerics/dual_solver.hpp"
#include "solver_figures.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {

namespace {

/// The number of checked pairs, a small part of the training time.
std::size_t sampled_pairs(std::size_t pairs, std::size_t support, std::size_t examples,
                          double operations) {
  constexpr double share = 1.0 / 2000, free_operations = 1e6, of_a_pair = 20;
  const double one =
      of_a_pair * static_cast<double>(support) + 2 * operations * static_cast<double>(examples);
  const double wanted = std::max(share * static_cast<double>(pairs), free_operations / one);
  return static_cast<std::size_t>(std::clamp(wanted, 4.0, 256.0));
}

/// Decision values of pairs, by the standard kernel's definition if it has one.
class PlainDecision {
 public:
  PlainDecision(const PairKernel& kernel, const Similarity& standard, MatrixView examples,
                const PairColumns& pairs, const numerics::DualSolution& solution, Context& context)
      : kernel_(kernel),
        standard_(standard),
        examples_(examples),
        pairs_(pairs),
        solution_(solution),
        context_(context) {
    for (std::size_t p = 0; p < solution.coefficients.size(); ++p)
      if (solution.coefficients[p] != 0) support_.push_back(p);
  }

  std::size_t support() const noexcept { return support_.size(); }

  double of(std::size_t pair) const {
    const std::vector<double> a = values(pairs_.first()[pair]), b = values(pairs_.second()[pair]);
    double sum = solution_.bias;
    for (const std::size_t p : support_) {
      const auto c = static_cast<std::size_t>(pairs_.first()[p]);
      const auto d = static_cast<std::size_t>(pairs_.second()[p]);
      const double order =
          pairs_.signs().empty() ? 0.0 : double{pairs_.signs()[pair]} * double{pairs_.signs()[p]};
      sum += solution_.coefficients[p] * kernel_.evaluate({a[c], a[d], b[c], b[d], order});
    }
    return sum;
  }

 private:
  std::vector<double> values(std::int32_t example) const {
    const MatrixView row = examples_.rows_range(static_cast<std::size_t>(example), 1);
    std::vector<double> all(examples_.rows);
    if (standard_.abilities().compares_plainly) {
      standard_.compare_plainly(examples_, row, all.data());
    } else {
      FloatMatrix computed(1, examples_.rows);
      standard_.apply(row, computed.view(), context_);
      std::ranges::copy(computed.values, all.begin());
    }
    return all;
  }

  const PairKernel& kernel_;
  const Similarity& standard_;
  MatrixView examples_;
  const PairColumns& pairs_;
  const numerics::DualSolution& solution_;
  Context& context_;
  std::vector<std::size_t> support_;
};

/// Pair kernels are computed in float32: the errors of their values hide a smaller gap.
constexpr double least_gap = 1e-3;

/// Checks a random subset of training pairs: the standard kernel's values by their definition, in
/// double if there is one, and decision values from these and the coefficients. `pairs` are the
/// variables, of `examples`. Returns the violation of the optimality conditions. The gap gains what
/// errors as large as those found may add. Throws Error if a solution called converged violates the
/// conditions by numerics::largest_excess more than in training, or if its objective is impossible.
std::optional<double> check_solution(const PairKernel& kernel, MatrixView examples,
                                     const PairColumns& pairs, const numerics::DualProblem& problem,
                                     const numerics::DualOptions& options,
                                     numerics::DualSolution& solution, Context& context) {
  numerics::check_objective(solution,
                            std::accumulate(problem.costs.begin(), problem.costs.end(), 0.0));
  const Similarity& standard = kernel.standard_kernel();
  if (solution.coefficients.empty()) return std::nullopt;
  const PlainDecision decision(kernel, standard, examples, pairs, solution, context);
  const std::size_t count = problem.labels.size();
  const auto drawn = drawn_sample(
      count, sampled_pairs(count, decision.support(), examples.rows, standard.operations()));
  std::vector<double> violations(drawn.size()), apart(drawn.size());
  context.parallel_for(drawn.size(), [&](std::size_t i) {
    const std::size_t p = drawn[i];
    const double value = decision.of(p);
    violations[i] = numerics::optimality_violation(std::abs(solution.coefficients[p]),
                                                   problem.costs[p], problem.labels[p] * value);
    apart[i] = std::abs(value - (solution.gradients[p] + problem.labels[p] + solution.bias));
  });
  const double worst = *std::ranges::max_element(violations);
  if (solution.certificate == Certificate::converged &&
      worst > solution.violation + numerics::largest_excess)
    numerics::throw_false_certificate(worst, solution.violation);
  numerics::DualOptions allowed = options;
  allowed.tolerance = std::max(options.tolerance, least_gap);
  numerics::allow_error(*std::ranges::max_element(apart), allowed, solution);
  return worst;
}

/// The variables of problem (10) or (11).
struct Variables {
  std::vector<std::int32_t> first, second;  // examples
  std::vector<float> signs;
  std::vector<signed char> labels;
  std::vector<double> bounds;
};

/// For (11) the set J, with the bound 2C; for (10) followed by every non-reflexive pair in reverse
/// order, all with the bound C. Bounds are multiplied by the weights.
Variables variables(const std::vector<Pair>& pairs, std::span<const std::int32_t> places,
                    const FloatMatrix& values, const PairKernel& kernel, double cost,
                    const PairWeights& weights) {
  Variables v;
  const bool both_orders = !kernel.symmetric();
  const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t label, double bound) {
    v.first.push_back(places[static_cast<std::size_t>(a)]);
    v.second.push_back(places[static_cast<std::size_t>(b)]);
    v.labels.push_back(static_cast<signed char>(label));
    v.bounds.push_back(bound * weights.of(label));
    if (kernel.ordered())
      v.signs.push_back(
          order_sign(values.view().row(static_cast<std::size_t>(v.first.back()))[0],
                     values.view().row(static_cast<std::size_t>(v.second.back()))[0]));
  };
  for (const Pair& p : pairs)
    add(p.first, p.second, p.label, both_orders && p.first != p.second ? cost : 2 * cost);
  if (both_orders)
    for (const Pair& p : pairs)
      if (p.first != p.second) add(p.second, p.first, p.label, cost);
  return v;
}

/// The size of the working sets; throws Error with the arithmetic if they do not fit.
std::size_t working_set(std::size_t examples, std::size_t inputs, std::size_t variables,
                        double wanted, const Context& context) {
  const auto needed = [&](std::size_t set) {
    return examples * (examples + 2 * inputs) * sizeof(float) + variables * 32 +
           numerics::solve_bytes(variables, set) + PairSums<double>::bytes(examples, set);
  };
  const std::size_t set = std::min(static_cast<std::size_t>(wanted), variables);
  if (needed(set) > context.memory_budget())
    throw MemoryError("training takes " + mebibytes(needed(set)) + ": the standard kernel of " +
                      std::to_string(examples) + " examples, the data of " +
                      std::to_string(variables) + " pairs, and a working set of " +
                      std::to_string(set) + " pairs; " + mebibytes(context.memory_budget()) +
                      " are allowed. Use fewer pairs, raise --memory, lower working_set, or use "
                      "solver/pairwise_newton");
  return set;
}

void report_solution(const numerics::DualSolution& s, double tolerance, Report& report) {
  report.text("certificate", name(s.certificate));
  report.number("objective", s.dual);
  report.number("duality_gap", numerics::relative_gap(s));
  report.number("violation", s.violation);
  report.number("bias", s.bias);
  report.integer("support_pairs", static_cast<std::int64_t>(s.vectors));
  report.integer("bounded_support_pairs", static_cast<std::int64_t>(s.bounded));
  report.integer("iterations", static_cast<std::int64_t>(s.steps));
  report.integer("working_sets", static_cast<std::int64_t>(s.rounds));
  common::report_convergence(s.history, "working set", "violation", tolerance, report);
}

/// `solver/pairwise_svm`: the dual pairwise SVM with hinge loss, solved exactly.
class PairwiseSvm final : public PairMachine {
 public:
  static Declaration<PairwiseSvm> declare() {
    Declaration<PairwiseSvm> declaration(
        "solver/pairwise_svm", "Pairwise SVM with hinge loss, solved exactly in the dual");
    declare_machine(declaration,
                    "weight of a pair's loss against the regularizer, as in (10) and (11)");
    return declaration
        .documentation(
            "Learns f(u, v) = sum gamma_p K(pair p, (u, v)) + bias, positive where u and v belong "
            "to the same class. With a symmetric pair kernel it solves problem (11), with one "
            "variable between 0 and 2C per unordered pair; with other kernels problem (10), on the "
            "symmetric training set: both orders of every pair with the bound C, and (i, i) once "
            "with the bound 2C. By Theorem 11 that gives the solution of (11) with the kernel's "
            "symmetric part, at several times the cost. The bias is not regularized. `objective` "
            "is the dual's, with LIBSVM's sign, and `tolerance` is LIBSVM's eps.\n\n"
            "C weighs the losses of pairs against |w|^2, so its meaning depends on the magnitude "
            "of the kernel's values: K_TL of vectors with entries +-1 and length 500 is about "
            "250,000, and C = 1000 is then a hard margin. Scale the examples to unit length to "
            "compare values of C between data sets.\n\n"
            "The standard kernel's n x n values are computed once, in float32. Values of the pair "
            "kernel are computed from them where they are used, in a few vector operations per "
            "value, about as fast as reading them from memory: neither the pair kernel's matrix "
            "nor rows of it nor a pair's features are ever stored. If the kernel factors, the "
            "gradients of all pairs are updated after a working set by products of matrices of the "
            "examples' size, in double, unless few pairs make rows cheaper. Working sets of "
            "`working_set` pairs are solved by pair steps with second-order selection; gradients "
            "are double and exact for all pairs; a set that holds all support pairs needs the "
            "fewest rounds. The same pair given twice, in whichever order, counts once. Decision "
            "values are sums of matrix products wherever the kernel factors (all except K_AT, "
            "projected and ordered kernels and powers above 2), and symmetric to the last bit. The "
            "result does not depend on the number of threads.")
        .reference(
            "Brunner, Fischer, Luig, Thies: Pairwise Kernels, Support Vector Machines, and the "
            "Application to Large Scale Problems, 2011, sections 3.2, 3.3 and 5; Fan, Chen, Lin "
            "2005; Joachims 1998")
        .complexity(
            "n^2 standard kernel values for n examples, then in each round n^3 / 2 multiply-adds "
            "or about 10 operations for each pair and each changed pair of the working set, "
            "whichever is less; memory: 4 n^2 + 80 P bytes for P pairs plus 4 bytes x "
            "working_set^2. The dimension of the examples matters only to the standard kernel.")
        .parameter("tolerance", &PairwiseSvm::tolerance_,
                   "violation of the optimality conditions at which it stops, like LIBSVM's eps",
                   above(0), below(1))
        .parameter("working_set", &PairwiseSvm::working_set_, "number of pairs optimized at once",
                   at_least(64), at_most(8192))
        .parameter("max_iterations", &PairwiseSvm::max_iterations_, "maximum number of pair steps",
                   at_least(1))
        .reports(common::solver_figures({"objective", "duality_gap", "violation", "bias",
                                         "support_pairs", "iterations", "working_sets",
                                         "check_error", "check_violation", "training_pairs",
                                         "parameters", "train_seconds"}))
        .reports({"bounded_support_pairs", "number of pairs whose coefficient is at its bound",
                  FigureUnit::count})
        .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, C: 1, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

  void train(const PairTrainingSet& training, Report& report, Context& context) override {
    const auto begin = std::chrono::steady_clock::now();
    bind(training.layout);
    const Examples examples = this->examples(training, context);
    const std::vector<Pair> pairs = unordered(training.pairs);
    const std::size_t n = examples.rows.size();
    const FloatMatrix standard = standard_matrix(examples, PairShares(n), context);
    Variables v = variables(pairs, examples.places, examples.values, *kernel_, cost_,
                            PairWeights(class_weights_));
    const std::size_t count = v.labels.size();

    numerics::DualOptions options;
    options.tolerance = tolerance_;
    options.gap = std::max(tolerance_, least_gap);
    options.most_steps = static_cast<std::size_t>(max_iterations_);
    options.working_set =
        working_set(n, layout_.size(), count, static_cast<double>(working_set_), context);
    options.history = options.gradients = true;
    std::optional<double> first;
    options.after_round = [&](std::size_t, double violation) {
      if (!first) first = violation;
      context.progress(std::log(std::max(violation, tolerance_) / *first),
                       std::log(tolerance_ / *first));
    };

    const PairColumns columns(v.first, v.second, std::move(v.signs));
    const PairRows source(*kernel_, standard.view(), columns);
    const numerics::Range all{0, count};
    numerics::DualProblem problem;
    problem.parts = {all};
    problem.direct = &source;
    problem.labels = std::move(v.labels);
    problem.costs = std::move(v.bounds);
    numerics::DualSolution solution = numerics::solve(problem, options, context);
    std::optional<double> violation;
    try {
      violation = check_solution(*kernel_, examples.values.view(), columns, problem, options,
                                 solution, context);
    } catch (const Cancelled&) {  // a stop wants the model all the same
    }

    if (const std::string why = numerics::doubt(solution, options.tolerance, options.gap);
        !why.empty())
      report.text("remedy", why);
    keep(examples, expansion_of(v.first, v.second, solution.coefficients), solution.bias, context);
    report_solution(solution, tolerance_, report);
    report_check(check_error(), report);
    if (violation) report.number("check_violation", *violation);
    report_training(count, begin, report);
  }

 private:
  double tolerance_ = 1e-3;
  std::int64_t working_set_ = 2048;
  std::int64_t max_iterations_ = 10'000'000;
};

}  // namespace

ComponentEntry declare_pairwise_svm() { return PairwiseSvm::declare().entry(); }

}  // namespace semblance::pairs
