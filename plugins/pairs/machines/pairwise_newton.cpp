// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "convergence_report.hpp"
#include "kernels/pair_sums.hpp"
#include "machines/pair_machine.hpp"
#include "newton/newton.hpp"
#include "semblance/declaration.hpp"
#include "semblance/plain_check.hpp"
#include "solver_figures.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {
namespace {

/// `solver/pairwise_newton`: the pairwise SVM with squared hinge loss, for millions of pairs.
class PairwiseNewton final : public PairMachine {
 public:
  static Declaration<PairwiseNewton> declare();
  void bind(const Layout& input) override;
  void train(const PairTrainingSet& training, Report& report, Context& context) override;

 private:
  PairKernelSum sum() const;
  /// Whether it works directly on examples with this number of values.
  bool works_on_rows(std::size_t values, std::size_t examples) const;
  bool by_pairs(std::size_t rank, std::size_t examples, std::size_t pairs) const;
  void keep_solution(const Examples& examples, const PairSpace& space, bool of_rows,
                     const NewtonSolution& solution, Context& context);

  double tolerance_ = 1e-3;
  std::string products_ = "cheaper";
  std::int64_t max_iterations_ = 100;
};

// The allowed error of the Cholesky factor, relative to the standard kernel's largest value.
constexpr double factor_tolerance = 1e-6;

bool any(const PairKernelSum::Weights& w) {
  return w.symmetric_direct_sum != 0 || w.metric_learning != 0 || w.tensor_learning != 0;
}

/// The sizes of the training data, for memory estimates.
struct Sizes {
  std::size_t examples, columns, parts;
  std::size_t own_pairs, pairs;
  std::size_t own_rows;  ///< of the examples, that this rank works on
  bool matrix;           ///< of the standard kernel
  bool weighted;         ///< pairs have different weights
};

/// Throws Error with the arithmetic unless n x n matrices and the data per pair fit.
void check_memory(const Sizes& s, const Context& context) {
  const std::size_t n = s.examples, m = s.columns, own = s.own_rows;
  const std::size_t factors = s.parts * n * m * 12 + (s.matrix ? n * n * 20 : 0);
  const std::size_t work = s.parts * (24 * own * m + 12 * n * m + 150 * m * m) + own * n / 4;
  const std::size_t each = s.own_pairs * (s.weighted ? 16 : 12), needed = factors + work + each;
  if (needed <= context.memory_budget()) return;
  throw MemoryError("training takes " + mebibytes(needed) + ": " + mebibytes(each) + " for " +
                    std::to_string(s.own_pairs) + " pairs" +
                    (s.own_pairs == s.pairs ? "" : " of " + std::to_string(s.pairs)) + " and " +
                    mebibytes(factors + work) + " for products of " + std::to_string(n) +
                    " examples with " + std::to_string(m) + " values; " +
                    mebibytes(context.memory_budget()) +
                    " are allowed. Use fewer pairs or examples, or raise --memory");
}

/// Pairs of the own blocks.
std::size_t own_pairs(const PairTable& table, const PairShares& shares) {
  std::size_t count = 0;
  for (const std::size_t b : shares.own())
    count += table.start(shares.end(b)) - table.start(shares.first(b));
  return count;
}

void report_solution(const NewtonSolution& s, double tolerance, Report& report) {
  report.text("certificate", name(s.certificate));
  report.number("objective", s.objective);
  report.number("gradient_norm", s.gradient_norm);
  report.number("duality_gap", s.objective > 0 ? (s.objective - s.dual) / s.objective : 0);
  report.number("bias", s.bias);
  report.integer("support_pairs", static_cast<std::int64_t>(s.active));
  report.integer("iterations", static_cast<std::int64_t>(s.iterations));
  report.integer("hessian_products", static_cast<std::int64_t>(s.products));
  std::vector<double> iterations(s.objectives.size());
  std::iota(iterations.begin(), iterations.end(), 0.0);
  report.curve({"objectives", "iteration", "objective", iterations, s.objectives});
  report.curve(
      {"gradient_norms", "iteration", "relative gradient norm", iterations, s.gradient_norms});
  common::report_convergence(s.convergence.points(), "iteration", "relative duality gap", tolerance,
                             report);
}

QuadraticForm spread(const QuadraticForm& form, const std::vector<std::int32_t>& places,
                     std::size_t size) {
  QuadraticForm wide;
  const std::size_t m = places.size();
  const auto matrix = [&](const std::vector<double>& from) {
    std::vector<double> to(from.empty() ? 0 : size * size);
    for (std::size_t i = 0; i < m && !from.empty(); ++i)
      for (std::size_t j = 0; j < m; ++j)
        to[static_cast<std::size_t>(places[i]) * size + static_cast<std::size_t>(places[j])] =
            from[i * m + j];
    return to;
  };
  wide.cross = matrix(form.cross);
  wide.own = matrix(form.own);
  if (!form.linear.empty()) wide.linear.assign(size, 0);
  for (std::size_t i = 0; i < form.linear.size(); ++i)
    wide.linear[static_cast<std::size_t>(places[i])] = form.linear[i];
  return wide;
}

/// The pair kernel's matrix of all training pairs.
class KernelMatrix final : public PairMatrix {
 public:
  KernelMatrix(const PairKernelSum& sum, MatrixView standard, const PairTable& table)
      : sum_(sum), standard_(standard) {
    for (std::size_t i = 0; i < table.examples(); ++i)
      for (std::size_t p = table.start(i); p < table.start(i + 1); ++p) {
        all_.first.push_back(static_cast<std::int32_t>(i));
        all_.second.push_back(static_cast<std::int32_t>(table.other(i, p)));
      }
    exact_.emplace(sum_, standard_, all_.first, all_.second);
  }
  bool add(std::span<const std::uint32_t> chosen, std::span<const double> factors,
           std::span<double> sums, Context& context) override {
    return exact_->add(chosen, factors, sums, context, true);
  }
  void choose(std::span<const std::uint32_t> chosen) override {
    chosen_ = {};
    for (const std::uint32_t p : chosen) {
      chosen_.first.push_back(all_.first[p]);
      chosen_.second.push_back(all_.second[p]);
    }
    std::vector<std::uint32_t> numbers(chosen.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    fast_.emplace(sum_, standard_, chosen_.first, chosen_.second);
    work_ = fast_->prepare(numbers);
  }
  void multiply(const std::vector<double>& v, std::vector<double>& out, Context& context) override {
    out.assign(v.size(), 0);
    fast_->add(work_, v, out, context, true);
  }
  Expansion expansion(std::span<const double> coefficients) const {
    return expansion_of(all_.first, all_.second, coefficients);
  }

 private:
  struct Columns {
    std::vector<std::int32_t> first, second;
  };
  PairKernelSum sum_;
  MatrixView standard_;
  Columns all_, chosen_;
  std::optional<PairSums<double>> exact_;
  std::optional<PairSums<float>> fast_;  // of the chosen ones
  PairSums<float>::Work work_;
};

Declaration<PairwiseNewton> PairwiseNewton::declare() {
  Declaration<PairwiseNewton> declaration(
      "solver/pairwise_newton", "Pairwise SVM with squared hinge loss, for millions of pairs");
  declare_machine(declaration,
                  "weight of a pair's squared loss against the regularizer; see above");
  return declaration
      .documentation(
          "Minimizes 1/2 |w|^2 + 2C sum_p max(0, 1 - y_p f(pair p))^2 over the pair kernel's "
          "feature space and the bias, which is not regularized; every unordered pair counts once. "
          "The factor 2 is that of problem (11), so C means the same as in solver/pairwise_svm, "
          "whose hinge loss it squares. A kernel that is not symmetric is replaced by its "
          "symmetric part, which is equivalent to training on both orders of each pair (Theorem "
          "11).\n\n"
          "Accepts the kernels whose sums over pairs are matrix products: K_SD, K_ML, K_TL, K_DS, "
          "K_TM, and K_PS and K_PT with p up to 2. With the linear standard kernel and no more "
          "values per example than examples, it works on the examples themselves, and w consists "
          "of matrices of their size (K_ML: a Mahalanobis form). Otherwise there are two ways, see "
          "`products`: a Cholesky factor of the standard kernel's matrix, or products with the "
          "pair kernel's matrix of the pairs that have a loss, which soon are few: this is cheaper "
          "if the factor's rank is more than a fraction of the number of examples. Products over "
          "the pairs with a loss give gradient and Hessian; the pairs of the examples are never "
          "all written out.\n\n"
          "Newton's method with conjugate gradients, a preconditioner that treats the two ends of "
          "a pair as independent, and an exact line search. It stops when the duality gap is "
          "`tolerance` times the objective. Gradient and decision values are double, products "
          "inside conjugate gradients float32. With C = 1000 on vectors of length sqrt(500), as in "
          "the double interval task, pair kernel values are 250,000 and the problem is close to a "
          "hard margin, which takes many times longer: scale examples to unit length. The result "
          "does not depend on the number of threads.\n\n"
          "With --mpi all ranks get the examples that pairs name, and share out the pairs; "
          "products with the values of pairs (see `products`) are computed by each of them whole.")
      .distributed()
      .reference(
          "Brunner, Fischer, Luig, Thies: Pairwise Kernels, Support Vector Machines, and the "
          "Application to Large Scale Problems, 2011; Chapelle: Training a Support Vector Machine "
          "in the Primal, 2007; Airola, Pahikkala: Fast Kronecker product kernel methods via "
          "generalized vec trick, 2018")
      .complexity(
          "for n examples, m values (the standard kernel's rank for kernels) and P pairs: 4 n m^2 "
          "+ 4 m A operations per Hessian product over A pairs with a loss, 2 n m^2 + 2 m P per "
          "Newton step; 12 bytes per pair, 50 n m + 150 m^2 bytes, and 20 n^2 with a kernel")
      .parameter("tolerance", &PairwiseNewton::tolerance_,
                 "stop when the duality gap relative to the objective is at most this", above(0),
                 below(1))
      .parameter("products", &PairwiseNewton::products_,
                 "what conjugate gradients multiply with if the standard kernel's matrix is "
                 "needed: its Cholesky factor, with a preconditioner, or the values of the pairs "
                 "that have a loss; cheaper: whichever takes fewer operations",
                 choices({"cheaper", "factor", "pairs"}))
      .parameter("max_iterations", &PairwiseNewton::max_iterations_,
                 "maximum number of Newton steps", at_least(1), at_most(1e6))
      .reports(common::solver_figures({"objective", "gradient_norm", "duality_gap", "bias",
                                       "support_pairs", "iterations", "check_error",
                                       "training_pairs", "parameters", "train_seconds"}))
      .reports({"hessian_products", "products of the conjugate gradients", FigureUnit::count,
                Better::lower})
      .reports({"rank", "rank of the factor of the standard kernel's matrix", FigureUnit::count})
      .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 50, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

PairKernelSum PairwiseNewton::sum() const {
  const std::optional<PairKernelSum> sum = kernel_->symmetric_sum();
  if (!sum)
    throw Error(
        "solver/pairwise_newton cannot use this pair kernel, whose sums over pairs are not matrix "
        "products (asymmetric_tensor, projected, ordered_representation, and powers above 2); use "
        "another pair kernel, or solver/pairwise_svm");
  return *sum;
}

void PairwiseNewton::bind(const Layout& input) {
  sum();
  PairMachine::bind(input);
}

/// Whether products of this number of pairs are faster than those with a factor of this rank. All
/// pairs are counted, although most soon have no loss, because there is no preconditioner. They
/// need less memory than a factor of full rank, which check_memory() allows for.
bool PairwiseNewton::by_pairs(std::size_t rank, std::size_t examples, std::size_t pairs) const {
  if (any(sum().squared) || products_ == "factor") return false;
  const auto n = static_cast<double>(examples), m = static_cast<double>(rank);
  return products_ == "pairs" || 3 * static_cast<double>(pairs) * n < 12 * n * m * m;
}

bool PairwiseNewton::works_on_rows(std::size_t values, std::size_t examples) const {
  return kernel_->standard_kernel().inner_product() && !any(sum().squared) && values <= examples;
}

void PairwiseNewton::train(const PairTrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  bind(training.layout);
  const Examples examples = this->examples(training, context);
  const std::size_t n = examples.rows.size(), d = layout_.size();
  const PairKernelSum sum = this->sum();
  const bool squared = any(sum.squared);
  const bool of_rows = works_on_rows(d, n);
  const Collectives& ranks = context.collectives();
  const PairShares shares(n, pairs_by_block(training.pairs, examples.places, n), ranks.rank(),
                          ranks.ranks());
  const LabelledPairs pairs = labelled_pairs(training.pairs, examples.places, shares, context);
  check_memory({n, of_rows ? d : n, squared ? 2U : 1U, own_pairs(pairs.table, shares), pairs.total,
                shares.own_rows(), !of_rows, !PairWeights(class_weights_).equal()},
               context);

  NewtonOptions options;
  options.cost = 2 * cost_;
  options.weights = PairWeights(class_weights_);
  options.tolerance = tolerance_;
  options.most_iterations = static_cast<std::size_t>(max_iterations_);
  NewtonSolution solution;
  Expansion expansion;
  std::vector<Factor> factors;
  if (of_rows) {
    factors.push_back(Factor::of_rows(examples.values.view()));
  } else {
    const FloatMatrix k = standard_matrix(examples, shares, context);
    factors.push_back(Factor::of_matrix(k.view(), false, factor_tolerance));
    if (by_pairs(factors[0].cols, n, pairs.total)) {
      std::optional<LabelledPairs> of_all_ranks;
      if (ranks.ranks() > 1)
        of_all_ranks = labelled_pairs(training.pairs, examples.places, PairShares(n), context);
      const LabelledPairs& all = of_all_ranks ? *of_all_ranks : pairs;
      KernelMatrix matrix(sum, k.view(), all.table);
      solution = minimise_by_pairs(matrix, all, options, context);
      expansion = matrix.expansion(solution.coefficients);
    }
    if (squared) factors.push_back(Factor::of_matrix(k.view(), true, factor_tolerance));
  }
  if (solution.coefficients.empty()) {
    std::vector<FormPart> parts;
    if (any(sum.plain)) parts.push_back({sum.plain, &factors[0]});
    if (squared) parts.push_back({sum.squared, &factors[1]});
    for (Factor& factor : factors) factor.add_singles();
    const PairSpace space(std::move(parts));
    solution = minimise_by_weights(space, pairs, shares, options, context);
    keep_solution(examples, space, of_rows, solution, context);
  } else {
    keep(examples, expansion, solution.bias, context);
  }
  report_solution(solution, tolerance_, report);
  if (!of_rows) report_check(check_error(), report);
  report.integer("rank", static_cast<std::int64_t>(factors[0].cols));
  report_training(pairs.total, begin, report);
}

void PairwiseNewton::keep_solution(const Examples& examples, const PairSpace& space, bool of_rows,
                                   const NewtonSolution& solution, Context& context) {
  SumModel model;
  model.bias = solution.bias;
  if (of_rows) {
    model.features = layout_.size();
    model.plain = space.form(0, solution.w);
    return keep(std::move(model));
  }
  std::vector<std::int32_t> bases;
  for (const FormPart& part : space.parts())
    bases.insert(bases.end(), part.factor->pivots.begin(), part.factor->pivots.end());
  std::sort(bases.begin(), bases.end());
  bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
  std::vector<std::int32_t> place(examples.rows.size());
  for (std::size_t i = 0; i < bases.size(); ++i)
    place[static_cast<std::size_t>(bases[i])] = static_cast<std::int32_t>(i);
  const bool squares = any(sum().squared);
  for (std::size_t t = 0; t < space.parts().size(); ++t) {
    const Factor& factor = *space.parts()[t].factor;
    std::vector<std::int32_t> places;
    for (const std::int32_t pivot : factor.pivots)
      places.push_back(place[static_cast<std::size_t>(pivot)]);
    const bool last = squares && t + 1 == space.parts().size();
    (last ? model.squared : model.plain) =
        spread(on_pivots(space.form(t, solution.w), factor), places, bases.size());
  }
  model.features = bases.size();
  set_bases(examples, bases, context);
  keep_on_bases(std::move(model));
}

}  // namespace

ComponentEntry declare_pairwise_newton() { return PairwiseNewton::declare().entry(); }

}  // namespace semblance::pairs
