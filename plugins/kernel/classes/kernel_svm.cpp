// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "classes/machine_training.hpp"
#include "dual/solution_report.hpp"
#include "machine/kernel_functions.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/solver.hpp"
#include "tuning/cost_choice.hpp"

namespace semblance::kernel {
namespace {

/// `solver/kernel_svm`: C-SVC with hinge loss on any similarity measure.
class KernelSvm final : public KernelMachine<Solver>, public ClassWeights, public LeftOutScores {
 public:
  KernelSvm() : KernelMachine(Sums::zero) {}
  static Declaration<KernelSvm> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }
  std::string left_out_problem() const override { return shared_matrix_problem(); }
  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  SupportVectorMachine support_vectors() const override;
  std::vector<Opposed> opposed_classes() const override { return problems_; }

 private:
  /// Those of the path and C; without C, if it is to be chosen.
  std::vector<double> all_costs() const {
    std::vector<double> costs = smaller_costs_;
    if (const auto number = number_given(cost_)) costs.push_back(*number);
    return costs;
  }
  bool chooses_cost() const noexcept { return !number_given(cost_); }
  void check_choice() const;
  bool holds_out_single_rows() const noexcept { return !number_given(folds_); }
  void choose_folds(const TrainingSet& training, MachineTask& task) const;
  void take_classes(std::size_t classes, bool one_versus_one);

  std::string cost_ = "1";
  std::vector<double> smaller_costs_;
  std::string folds_ = std::to_string(common::usual_folds);
  std::string multiclass_ = "one_versus_one";
  double tolerance_ = 1e-3;
  std::int64_t max_iterations_ = 10'000'000;

  bool kernel_learns_ = false;  // from samples
  std::size_t classes_ = 0;     // of the learned machine
  bool one_versus_one_ = true;
  std::vector<Opposed> problems_;
};

Declaration<KernelSvm> KernelSvm::declare() {
  Declaration<KernelSvm> declaration(
      "solver/kernel_svm", "Kernel SVM with hinge loss on any similarity measure (C-SVC)");
  declaration
      .documentation(
          "Minimizes 1/2 |w|^2 + C sum max(0, 1 - y f(x)), f(x) = <w, phi(x)> + bias, in the dual, "
          "for every class against every other or against the rest; the bias is not regularized. "
          "The problem, its stopping rule and the sign of `objective` are LIBSVM's. It continues "
          "after that rule holds until the duality gap is at most `tolerance` of the objective: "
          "then no machine's objective is smaller by more, and the certificate says 'converged'. "
          "If rounding or `max_iterations` prevent that, it says 'iteration limit', and a warning "
          "says why. The bound is the objective of the machine itself, with the bias that "
          "minimizes it where LIBSVM's is not good enough, or of its function times the best "
          "factor. Gaps are computed from kernel values in double, by the kernel's definition; "
          "where that would take long, from those of training and of a random sample of rows: to "
          "the gap is added what an error of all decision values as large as the largest one in "
          "the sample can cost. The gap of a kernel without a definition in double, or of a "
          "repaired matrix, is that of its float32 values. Working sets of hundreds of rows are "
          "solved by pair steps with second-order selection; kernel rows are computed in blocks "
          "and shared by all problems. Kernel values are float32, sums and gradients double; the "
          "result does not depend on the number of threads. With similarity/linear each problem is "
          "a linear function of the samples: decision values are computed from its weights in "
          "double, and what the rounding of kernel values has left to improve by these is solved "
          "further, about the rows' mean where it is far from 0, so that columns may be as they "
          "come.\n\n"
          "Scores: for two classes (f, -f); against the rest the decision values; one against one "
          "the votes plus s / (3 |s| + 3), where s is the sum of the class's decision values, so "
          "the winner of the vote has the largest score and decision values break ties.\n\n"
          "If the kernel is not positive semi-definite by construction, the matrix of all training "
          "rows is computed and its spectrum checked. It must be symmetric: a difference between "
          "s(a, b) and s(b, a) above 1e-5 of the largest value is an error, as new samples would "
          "be compared otherwise than training rows; smaller ones are rounding, and their mean is "
          "taken. Then `refuse` factorizes K + t I in double precision (Cholesky; t is 1e-6 of K's "
          "Frobenius norm, the effect of rounding to float32) and reports an error if that fails, "
          "so that a result reported as converged is the optimum of a convex problem. The repairs "
          "replace negative eigenvalues of the whole matrix (clip: 0, flip: the absolute value, "
          "shift: all grow by the magnitude of the smallest, square: K'K). New samples are "
          "compared basis first, s(b, x), and their similarities are multiplied by the matrix P "
          "that repairs the training rows (shift: none), for which all training rows are kept "
          "(clip, flip, square, krein). They are kept as well where the kernel learns from them "
          "all, as a width: auto does.\n\n"
          "`flip` is the support vector machine in a Krein space, KSVM, of Loosli, Canu and Ong: "
          "with K = U D U' and S = sign(D) it trains on U S D U' = U |D| U' to coefficients a, and "
          "scores by sum_i b_i s(x_i, x) with b = U S U' a on the indefinite similarities "
          "themselves, which is P' a. `krein` weights the two parts of the Krein space as Oglic "
          "and Gärtner do: every f = f+ + f- is the sum of a part in the space of U max(D, 0) U' "
          "and one in that of U max(-D, 0) U', and the machine minimizes 1/2 (|f+|^2 + m |f-|^2) + "
          "C sum max(0, 1 - y (f(x) + bias)) with m = `negative_weight`. As f- / sqrt(m) has the "
          "kernel of the negative part divided by m, negative eigenvalues d become |d| / m, P = U "
          "diag(1 or -1 / m) U'. m = 1 is flip; a large m trusts the negative part less, and has "
          "clip as its limit. A stop request waits for LAPACK's eigen-decomposition. "
          "`support_vectors` counts rows with a coefficient in any problem before that; "
          "`parameters` counts their values and a coefficient each. Samples may differ in size if "
          "the kernel takes such samples (series, strings, sets, graphs). Sparse samples stay "
          "sparse, their support vectors included, and give the machine that the same samples laid "
          "out densely give, bit by bit, but for similarity/laplacian and the exponential "
          "similarity/chi_square, whose distances of sparse samples are summed in double, and for "
          "similarity/linear on rows far from 0, whose mean only dense rows can be computed "
          "about.\n\n"
          "`path` solves smaller costs first: the solution for one, times the factor that is best "
          "for it, is where the next one starts, and kernel rows are computed once for all where "
          "their matrix fits into half of the memory. All machines share their vectors. A program "
          "can use any of them (CostPath, KernelSVM.path in Python); the model that is saved is "
          "that of C.\n\n"
          "'C: automatic' chooses C by cross-validation on the training rows alone: the "
          "candidates, in `path` or the decades from 0.01 to 1000 divided by the mean similarity "
          "of a row with itself, are solved without each of `folds` folds, each cost from the "
          "solution of the one before and to the same tolerance, and the smallest share of "
          "misclassified held-out rows decides (by weight; ties go to the smaller C). Then the "
          "machine is trained on all rows, with the bits that this C gives as a number. The folds "
          "are stratified, and keep groups together where the source has some; they are the same "
          "for every seed. All folds and costs share one kernel matrix: a row of it is computed "
          "once if the matrix fits into half of the memory, and held-out rows only get the weight "
          "0. A kernel that learns from rows, as a gamma of scale does, learns from those of the "
          "other folds, and has a matrix for each fold. One that depends on all of its bases, as a "
          "width: auto does, or whose matrix is repaired, is refused: then choose by `select`, as "
          "where a component before the machine has learned from the classes. 'folds: "
          "leave_one_out' holds out each row alone: the machine of all rows decides many of these "
          "errors. A row with the coefficient 0 does not change it where a free vector determines "
          "the bias, and of two classes, a row on the wrong side stays there. For any other row, "
          "and for every row with `balanced`, the machine is solved again without it, from its "
          "solution; `choice_trainings` counts these. With `balanced` the weights of classes are "
          "those of the rows that train, without those held out; errors are weighted by the "
          "weights of all rows.\n\n"
          "Once trained, a random sample of training rows is evaluated by the kernel's definition "
          "in double: `check_error` is the largest difference between kernel values, as a share of "
          "the largest, and more than 0.001 is an error, as are decision values that violate the "
          "optimality conditions by 0.1 more than training saw.\n\n"
          "A row of weight 0 is no support vector, but it is among the rows whose matrix is "
          "checked or repaired, and from which a kernel learns a width.")
      .uses_device()
      .reference(
          "BE-SVM, sections 2.1, 2.5 and 3.2; Fan, Chen, Lin 2005; "
          "Chen et al. 2009; Joachims 1998; Loosli, Canu, Ong 2016; Oglic, Gärtner 2019")
      .complexity(
          "kernel rows of about 1.5 times the support vectors, restricted to the classes of their "
          "problems; with a kernel not known to be positive semi-definite, n^2 values and n^3 / 3 "
          "operations (refuse) or about 10 n^3 (repairs)")
      .reports(dual_figures())
      .reports(common::choice_figures())
      .reports({"left_out_trainings",
                "trainings without a single row, for a calibrator with folds: leave_one_out",
                FigureUnit::count});
  with_kernel(declaration)
      .parameter("C", &KernelSvm::cost_,
                 "weight of the losses against the regularizer: the larger, the closer the fit to "
                 "the training rows; automatic: chosen by cross-validation on the training rows",
                 choices({"automatic"}), above(0))
      .parameter("path", &KernelSvm::smaller_costs_,
                 "smaller costs to solve before C, increasing, each starting from the solution of "
                 "the one before; the report then has a table of all costs. With 'C: automatic' "
                 "the candidates",
                 above(0))
      .parameter("folds", &KernelSvm::folds_,
                 "number of folds that choose 'C: automatic'; leave_one_out: each row is held out "
                 "alone",
                 choices({"leave_one_out"}), at_least(2), at_most(1000))
      .parameter("multiclass", &KernelSvm::multiclass_, "how to form two-class problems",
                 choices({"one_versus_one", "one_versus_rest"}));
  return with_repair(with_class_weights(declaration))
      .parameter("tolerance", &KernelSvm::tolerance_,
                 "violation of the optimality conditions, like LIBSVM's eps, and duality gap as a "
                 "share of the objective, at which it stops",
                 above(0), below(1))
      .parameter(
          "max_iterations", &KernelSvm::max_iterations_,
          "maximum number of pair steps per problem; four times as many for two classes with "
          "65,536 rows or more, whose steps are shorter",
          at_least(1))
      .gone({.written = "shrinking",
             .since = "1.0",
             .advice = "omit it: the machine is the same, and trained more slowly with it",
             .usual = "false"})
      .example(R"(
        points: {is: source/rings, classes: 3}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, C: 10, from: points}
        test:   {is: evaluator/classification, from: svm}
        size:   {is: evaluator/complexity, from: svm})");
}

void KernelSvm::check_parameters() const {
  check_class_weights();
  check_repair();
  common::check_costs(smaller_costs_, number_given(cost_));
  common::check_folds(number_given(folds_).value_or(0), cost_);
  if (chooses_cost()) check_choice();
}

void KernelSvm::check_choice() const {
  if (const auto folds = number_given(folds_); folds && *folds != std::floor(*folds))
    throw Error("'folds' is " + folds_ + "; give it a whole number, or leave_one_out");
  if (holds_out_single_rows() && kernel_->learns_from_bases())
    throw Error(
        "'folds: leave_one_out' shares one kernel matrix among all rows, but the "
        "kernel learns its values from the rows (as with gamma: scale); give its parameters "
        "numbers, or give 'folds' a number");
  if (needs_all_bases(*kernel_))
    throw Error(
        "'C: automatic' holds rows out of a matrix that all folds share, but the kernel's values "
        "depend on all of its rows (as with width: auto); give its parameters numbers, or choose C "
        "by 'select'");
  if (repair_choice() != "refuse" && !knows_spectrum())
    throw Error("'C: automatic' holds rows out of a matrix that all folds share, which 'repair: " +
                repair_choice() +
                "' would change by what is held out; omit the repair, or choose C by 'select'");
}

Layout KernelSvm::bind(const Layout& input) {
  bind_rows(input);
  return Layout::vector(classes_);
}

void KernelSvm::train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                  Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  numerics::DualOptions options;
  options.tolerance = options.gap = tolerance_;
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  // Once it has learned, it does not say so any more.
  kernel_learns_ = kernel_learns_ || kernel_->learns_from_bases();
  MachineTask task{
      kernel_task(), all_costs(), row_weights(training), {}, multiclass_ == "one_versus_one",
      options};
  task.left_out = left_out;
  if (balances() && (chooses_cost() || left_out.rows > 0))
    task.weights_of = [&](std::span<const char> trains) { return row_weights(training, trains); };
  if (chooses_cost()) {
    choose_folds(training, task);
    task.kernel_learns = kernel_learns_ && !needs_all_bases(*kernel_);
  }
  take_functions(train_machines(task, training, report, context));
  take_classes(training.classes.size(), task.one_versus_one);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

/// What is held out to choose C.
void KernelSvm::choose_folds(const TrainingSet& training, MachineTask& task) const {
  if (const auto folds = number_given(folds_)) {
    task.fold_of = common::cost_folds(training, static_cast<std::size_t>(*folds));
    return;
  }
  if (!training.groups.empty())
    throw Error(
        "the source has groups of rows, which are held out together, and 'folds: leave_one_out' "
        "would hold out single rows of them; give 'folds' a number");
  task.leave_one_out = true;
}

void KernelSvm::take_classes(std::size_t classes, bool one_versus_one) {
  classes_ = classes;
  one_versus_one_ = one_versus_one;
  problems_ = opponents(classes, one_versus_one);
}

void KernelSvm::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (classes_ > 0) common::check_scores(out, classes_);
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    class_scores(classes_, one_versus_one_, problems_, values, out.row_span(i));
  });
}

void KernelSvm::save(StateWriter& state) const {
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integer("one_versus_one", one_versus_one_ ? 1 : 0);
  save_functions(state);
}

void KernelSvm::load(const StateReader& state, Context& context) {
  const std::int64_t classes = state.integer("classes");
  constexpr std::int64_t most_classes = 1 << 20;  // more would make more pairs than memory
  check_saved(classes >= 2 && classes < most_classes);
  load_functions(state, context);
  take_classes(static_cast<std::size_t>(classes), state.integer("one_versus_one") != 0);
  check_saved(functions().count() == problems_.size());
}

Formula::Value KernelSvm::write(Formula& formula, Formula::Value in) const {
  return write_scores(formula, classes_, one_versus_one_, problems_, write_functions(formula, in));
}

SupportVectorMachine KernelSvm::support_vectors() const {
  if (classes_ == 0) throw Error("the solver has not been trained");
  return libsvm_machine(functions(), classes_, problems_, described_kernel());
}

}  // namespace

ComponentEntry declare_kernel_svm() { return KernelSvm::declare().entry(); }

}  // namespace semblance::kernel
