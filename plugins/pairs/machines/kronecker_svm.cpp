// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "convergence_report.hpp"
#include "machines/kronecker_machine.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::pairs {
namespace {

/// The gap up to which a solution counts as converged, as a share of the objective, and the one at
/// which training ends.
constexpr double wanted_gap = 1e-4, enough_gap = 1e-7;

/// `solver/kronecker_svm`: a support vector machine on pairs, without the matrix of pairs.
class KroneckerSvm final : public Solver, public KroneckerMachine {
 public:
  static Declaration<KroneckerSvm> declare() {
    Declaration<KroneckerSvm> declaration(
        "solver/kronecker_svm",
        "Support vector machine on pairs with the product of two kernels, for many pairs");
    declare_kernels(declaration)
        .parameter("C", &KroneckerSvm::cost_,
                   "weight of the squared hinge losses against the regularizer: the larger, the "
                   "closer the fit to the training pairs",
                   above(0))
        .documentation(
            "Minimizes 1/2 |f|^2 + C sum_i max(0, 1 - y_i (f(x_i) + b))^2 for each class, where "
            "y_i is 1 for pairs of the class and -1 for all others, with f(c, d) = sum_j a_j "
            "k(a_j, c) g(b_j, d) over the training pairs (a_j, b_j). With two classes a single "
            "problem is solved and the scores are (-f, f). Newton's method: the pairs with a loss "
            "give a linear system, which conjugate gradients solve without the matrix of pairs "
            "(see solver/kronecker_ridge), and the step is the exact minimum along the line to its "
            "solution.\n\n"
            "`duality_gap` is the difference to the value of a point of the dual, as a share of "
            "the objective: no other f and b can be better by more. The certificate says "
            "`converged` if it is below 1e-4. Both kernels must be positive semi-definite, which "
            "is checked where it is not a theorem. Sums are in double; the result does not depend "
            "on the number of threads.")
        .reference(
            "Airola and Pahikkala, Fast Kronecker product kernel methods via generalized vec "
            "trick, IEEE Transactions on Neural Networks and Learning Systems 2018; Keerthi and "
            "DeCoste, A modified finite Newton method for fast solution of large scale linear "
            "SVMs, 2005")
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

  Layout bind(const Layout& input) override {
    bind_kernels(input);
    return Layout::vector(classes());
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    common::check_labels(training);
    const std::size_t n = training.rows.rows(), all = training.classes.size();
    NewtonOptions options;
    options.cost = cost_;
    options.tolerance = enough_gap;
    options.least_reduction = tolerance_;
    options.most_products = static_cast<std::size_t>(most_iterations_);
    double gap = 0;
    std::vector<char> used(n, 0);
    const auto fit = [&](VecTrick& products, std::size_t t) {
      // A row of the table has one pair.
      LabelledPairs pairs;
      std::vector<std::size_t> starts(n + 1);
      std::iota(starts.begin(), starts.end(), std::size_t{0});
      pairs.table = PairTable(std::move(starts), std::vector<std::uint32_t>(n));
      const auto positive = static_cast<std::int32_t>(all == 2 ? 1 : t);
      for (const std::int32_t label : training.labels)
        pairs.labels.push_back(label == positive ? 1 : -1);
      NewtonSolution solution = minimise_by_pairs(products, pairs, options, context);
      gap += solution.objective - solution.dual;
      std::vector<double> f(n);
      products.product(solution.coefficients, f, context);
      for (std::size_t i = 0; i < n; ++i)
        used[i] |= static_cast<char>(pairs.labels[i] * (f[i] + solution.bias) < 1);
      Function made;
      made.coefficients = std::move(solution.coefficients);
      made.intercept = solution.bias;
      made.objective = solution.objective;
      made.squared_norm = solution.square;
      made.iterations = solution.products;
      // The gap of a stopped training may not have been computed.
      made.stopped = solution.certificate == Certificate::cancelled ||
                     solution.certificate == Certificate::deadline;
      made.converged = !made.stopped && std::abs(solution.relative_gap()) <= wanted_gap;
      made.course = solution.convergence.points();
      return made;
    };
    const Function found =
        learn(training, all == 2 ? 1 : all, "raise 'iterations', or lower C", fit, report, context);
    report.number("duality_gap", found.objective > 0 ? std::max(0.0, gap / found.objective) : 0);
    common::report_convergence(found.course, "Newton step", "relative duality gap", wanted_gap,
                               report);
    report.integer("support_pairs", std::ranges::count(used, 1));
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
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

  void save(StateWriter& state) const override { save_machine(state); }
  void load(const StateReader& state, Context& context) override { load_machine(state, context); }

 private:
  /// One function decides between two classes.
  std::size_t classes() const noexcept { return functions() == 1 ? 2 : functions(); }

  double cost_ = 1;
};

}  // namespace

ComponentEntry declare_kronecker_svm() { return KroneckerSvm::declare().entry(); }

}  // namespace semblance::pairs
