// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include "convergence_report.hpp"
#include "machines/kronecker_machine.hpp"
#include "newton/conjugate_gradients.hpp"
#include "newton/newton_svm.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::pairs {
namespace {

/// `solver/kronecker_svm`: a support vector machine on pairs, without the matrix of pairs.
class KroneckerSvm final : public Solver, public KroneckerMachine {
 public:
  static Declaration<KroneckerSvm> declare();

  Layout bind(const Layout& input) override {
    bind_kernels(input);
    return Layout::vector(classes());
  }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override { save_machine(state); }
  void load(const StateReader& state, Context& context) override { load_machine(state, context); }

 private:
  /// One function decides between two classes.
  std::size_t classes() const noexcept { return functions() == 1 ? 2 : functions(); }

  double cost_ = 1;
};

Declaration<KroneckerSvm> KroneckerSvm::declare() {
  Declaration<KroneckerSvm> declaration(
      "solver/kronecker_svm",
      "Support vector machine on pairs with the product of two kernels, for many pairs");
  declare_kernels(declaration)
      .parameter("C", &KroneckerSvm::cost_, "weight of the squared hinge losses", above(0))
      .documentation(
          "Minimizes 1/2 |f|^2 + C sum_i max(0, 1 - y_i (f(x_i) + b))^2 for each class, where y_i "
          "is 1 for pairs of the class and -1 for all others, with f(c, d) = sum_j a_j k(a_j, c) "
          "g(b_j, d) over the training pairs (a_j, b_j). With two classes a single problem is "
          "solved and the scores are (-f, f). Newton's method: the pairs with a loss give a linear "
          "system, which conjugate gradients solve without the matrix of pairs (see "
          "solver/kronecker_ridge), and the step is the exact minimum along the line to its "
          "solution. The pairs with a loss soon stay the same, and then the solution is exact.\n\n"
          "`duality_gap` is the difference to the value of a point of the dual, as a share of the "
          "objective: no other f and b can be better by more. The certificate says `converged` if "
          "it is below 1e-4. Both kernels must be positive semi-definite, which is checked where "
          "it is not a theorem. Sums are in double; the result does not depend on the number of "
          "threads.")
      .reference(
          "Airola and Pahikkala, Fast Kronecker product kernel methods via generalized vec trick, "
          "IEEE Transactions on Neural Networks and Learning Systems 2018; Keerthi and DeCoste, A "
          "modified finite Newton method for fast solution of large scale linear SVMs, 2005")
      .complexity(
          "n pairs of m first and q second samples: 2 n (m + q) operations per conjugate "
          "gradient step, for each Newton step and class; memory as solver/kronecker_ridge")
      .reports(
          common::solver_figures({"objective", "duality_gap", "squared_norm", "check_error",
                                  "iterations", "support_pairs", "parameters", "train_seconds"}))
      .example(R"(
        pairs:
          is: source/pairs
          path: interactions.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          label: binds
          setting: new_second
          test_fraction: 0.25
        svm:
          is: solver/kronecker_svm
          first:  {is: similarity/rbf, gamma: 0.5}
          second: {is: similarity/rbf, gamma: 0.1}
          from: pairs
        test: {is: evaluator/classification, from: svm})");
  return declaration;
}

void KroneckerSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  std::optional<double> check_error;
  VecTrick products = learn_kernels(training, check_error, context);
  const std::size_t n = training.rows.rows(), all = training.classes.size();
  NewtonSvm problem;
  problem.multiply = [&](std::span<const double> v, std::span<double> u) {
    products.multiply(v, u, context);
  };
  problem.cost = cost_;
  problem.tolerance = tolerance_;
  problem.most_iterations = static_cast<std::size_t>(most_iterations_);
  std::vector<std::vector<double>> coefficients;
  std::vector<double> intercepts;
  double objective = 0, squared_norm = 0, gap = 0;
  std::size_t steps = 0;
  std::vector<numerics::ConvergencePoint> slowest;  // of the classes
  bool converged = true, stopped = false;
  std::vector<char> used(n, 0);
  for (std::size_t c = all == 2 ? 1 : 0; c < all; ++c) {
    std::vector<double> signs(n);
    for (std::size_t i = 0; i < n; ++i)
      signs[i] = training.labels[i] == static_cast<std::int32_t>(c) ? 1 : -1;
    NewtonSvmFit made = minimize(problem, signs, context);
    objective += made.objective;
    squared_norm += made.squared_norm;
    gap += made.objective - made.bound;
    steps += made.iterations;
    if (slowest.empty() || made.convergence.points().back().step > slowest.back().step)
      slowest = made.convergence.points();
    converged = converged && made.converged;
    stopped = stopped || made.stopped;
    for (std::size_t i = 0; i < n; ++i) used[i] |= made.coefficients[i] != 0;
    coefficients.push_back(std::move(made.coefficients));
    intercepts.push_back(made.intercept);
  }
  set_functions(products.index(), std::move(coefficients), std::move(intercepts));
  report.text("certificate", name(converged ? Certificate::converged
                                  : stopped ? stop_certificate(context)
                                            : Certificate::iteration_limit));
  if (!converged && !stopped)
    report.text("remedy", "raise 'iterations', or lower 'tolerance' or C");
  report.number("objective", objective);
  report.number("duality_gap", objective > 0 ? std::max(0.0, gap / objective) : 0);
  report.number("squared_norm", squared_norm);
  report_check(check_error, report);
  report.integer("iterations", static_cast<std::int64_t>(steps));
  common::report_convergence(slowest, "Newton step", "relative duality gap", wanted_gap, report);
  report.integer("support_pairs", std::ranges::count(used, 1));
  report.integer("first_samples", static_cast<std::int64_t>(products.k().order));
  report.integer("second_samples", static_cast<std::int64_t>(products.g().order));
  report.integer("parameters", static_cast<std::int64_t>(parameters()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void KroneckerSvm::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_scores(out, classes());
  const std::vector<double> found = values(in, context);
  for (std::size_t i = 0; i < in.rows; ++i) {
    if (functions() == 1) {
      out.row(i)[1] = static_cast<float>(found[i]);
      out.row(i)[0] = -out.row(i)[1];
      continue;
    }
    for (std::size_t c = 0; c < functions(); ++c)
      out.row(i)[c] = static_cast<float>(found[i * functions() + c]);
  }
}

}  // namespace

ComponentEntry declare_kronecker_svm() { return KroneckerSvm::declare().entry(); }

}  // namespace semblance::pairs
