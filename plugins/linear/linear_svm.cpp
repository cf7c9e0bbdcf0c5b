// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "about_means.hpp"
#include "crammer_singer/crammer_singer.hpp"
#include "independent_problems.hpp"
#include "inner_context.hpp"
#include "linear_cost_choice.hpp"
#include "linear_model.hpp"
#include "linear_report.hpp"
#include "problem/linear_task.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/solver.hpp"
#include "training_checks.hpp"
#include "tuning/cost_choice.hpp"
#include "used_columns.hpp"

namespace semblance::linear {
namespace {

/// `solver/linear_svm`: one-versus-rest squared hinge, l2- or l1-regularized, in the primal; or
/// Crammer and Singer's machine, in the dual.
class LinearSvm final : public Solver, public ClassWeights, public Exportable {
 public:
  static Declaration<LinearSvm> declare();

  void check_parameters() const override;
  bool distributes() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return model_.write(formula, in);
  }

 private:
  LinearTask task_of(const TrainingSet& training, std::vector<double> costs) const;
  std::vector<double> costs_to_solve(const TrainingSet& training, Report& report,
                                     Context& context) const;
  common::CostChoice choose(const TrainingSet& training, Context& context) const;
  std::vector<Solution> solve(const LinearTask& task, Context& outer) const;

  std::string cost_ = "1";
  double bias_ = 1;
  bool center_ = true;
  std::string regularizer_ = "l2";
  std::string multiclass_ = "one_versus_rest";
  std::vector<double> path_;
  std::int64_t folds_ = common::usual_folds;
  double tolerance_ = default_tolerance;
  std::int64_t max_iterations_ = default_iterations;

  bool sparse_ = false;  // whether the samples are sparse
  LinearModel model_;
};

Declaration<LinearSvm> LinearSvm::declare() {
  Declaration<LinearSvm> declaration("solver/linear_svm",
                                     "Linear SVM, one class against the rest or all at once");
  declaration
      .documentation(
          "Minimizes 1/2 |w|^2 + C sum max(0, 1 - y w.x)^2 for every class against the rest, all "
          "classes together, where x is a row minus the columns' means, followed by the constant "
          "`bias`: a Newton method with preconditioned conjugate gradients whose products for all "
          "classes take one sweep over the rows; a class that has spent more on them than an exact "
          "Hessian costs continues with exact steps, which cope with columns of any scale: the "
          "Hessian is made of the products of columns or, where these are at least as many as "
          "rows, of the products of rows, which all classes share. Few rows of many columns (at "
          "least four times as many, and at most 300 rows per problem) take exact steps from the "
          "start. With two classes a single problem is solved and the scores are (-f, f).\n\n"
          "The regularized constant would pull the plane towards 0, wherever the rows are; about "
          "the means, which count rows by their weights in the losses, the result is the same for "
          "any level of a column. 'center: false' gives LIBLINEAR's objective, -s 2 with the same "
          "C and bias (without the means, also -s 5 and -s 4 below).\n\n"
          "Sparse rows of many columns are solved in the dual, by coordinate descent for each "
          "class: the objective and what ends it are the same. A class that converges slowly, "
          "since C is large, continues with Newton steps of its free dual variables, then, with "
          "fewer rows than columns, with exact steps. With 'regularizer: l1' or 'multiclass: "
          "crammer_singer' the method is that for dense rows. With --mpi they are trained by the "
          "first process.\n\n"
          "With 'regularizer: l1' the sum of |w_j| replaces 1/2 |w|^2 (LIBLINEAR's -s 5; the "
          "weight of the appended constant counts like any other): a proximal Newton method on "
          "working sets of columns.\n\n"
          "With 'multiclass: crammer_singer' all classes are one problem, 1/2 sum |w_m|^2 + C sum "
          "max(0, 1 + strongest rival's score - own score) (LIBLINEAR's -s 4): a sequential dual "
          "method, one row after the other. It gets close to the optimum quickly and closes the "
          "rest of the gap slowly: a tolerance of 1e-3 is usual. An iteration is up to 20 passes "
          "over the active rows, gradient_norm the largest violation of the dual's optimality "
          "condition.\n\n"
          "Where the source names its columns and only normalizers that keep them follow it, the "
          "report has the weight of each of up to 200 columns, by name; with two classes positive "
          "weights speak for the second one. They are those of the values that reach the machine, "
          "which are to be compared where columns are on one scale, as z-scores are.\n\n"
          "'C: automatic' chooses C by cross-validation on the training rows alone: the "
          "candidates, in `path` or the decades from 0.01 to 10,000 divided by the mean squared "
          "norm of the rows, are solved without each of `folds` folds, each cost from the optimum "
          "of the previous one and to a duality gap of 0.001 (or `tolerance`, if that is larger), "
          "and the smallest share of misclassified held-out rows decides (by weight; ties, also "
          "those but for rounding, go to the smaller C). With `balanced` the weights of classes in "
          "a training are those of the rows that train, and errors are weighted by those of all "
          "rows. Then the machine is trained on all rows, with the bits that this C gives as a "
          "number. The folds are stratified, and keep groups together where the source has some; "
          "they are the same for every seed. Where columns outnumber rows by far, products of rows "
          "are computed once for all folds and costs. A component before it that has learned from "
          "the classes has seen the held-out rows: then choose by `select`.\n\n"
          "It stops when a lower bound from a feasible dual point is within `tolerance` of the "
          "objective, for every class, or when several iterations have gained almost nothing and "
          "the bound lags behind (certificate 'iteration limit'; a message says how far: below 0.1 "
          "% the model is as good as proved). On a stop request it keeps its best model. Rows are "
          "float32, sums double; the result does not depend on the number of threads. Squared "
          "norms in the report are |w|^2 including the weight of the appended constant.")
      .reference(
          "Aghazadeh and Carlsson: Large Scale, Large Margin Classification using Indefinite "
          "Similarity Measures (BE-SVM), eq. (6); Chapelle 2007; Keerthi and DeCoste 2005; Fan et "
          "al. 2008 (LIBLINEAR); Crammer and Singer 2001; Keerthi et al. 2008")
      .complexity(
          "a sweep: 4 rows x columns x classes operations; the preconditioner, of s = (6.6 rows x "
          "columns x classes)^(1/3) sampled rows, another s^2 columns operations and 8 s^2 bytes; "
          "an exact step: n^3 / 3 "
          "operations, n the columns, and 8 columns^2 bytes per class and thread; classes whose "
          "Hessians take more than the rows (or 256 MiB) together wait for each other; where "
          "columns are at least as many as rows, rows^2 x columns operations once, n the "
          "active rows, and 8 rows^2 bytes, once and per class. l1: columns in use instead of "
          "columns. crammer_singer: one sweep per pass. Over ranks, a sweep sends 8 columns x "
          "classes bytes; rows that the preconditioner samples, and for exact steps and l1 "
          "those that become active, go to every rank, a few hundred at a time; rows of at least "
          "as many columns go there all together. Every rank makes all exact steps")
      .parameter("C", &LinearSvm::cost_,
                 "weight of the losses against the regularizer: the larger, the closer the fit to "
                 "the training rows; automatic: chosen by cross-validation on the training rows",
                 choices({"automatic"}), above(0))
      .parameter("bias", &LinearSvm::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0))
      .parameter("center", &LinearSvm::center_,
                 "train about the columns' means; false: as LIBLINEAR does. Never with 'bias: 0'")
      .parameter("regularizer", &LinearSvm::regularizer_,
                 "l2: 1/2 |w|^2; l1: the sum of |w_j|, which makes most weights 0",
                 choices({"l2", "l1"}))
      .parameter("multiclass", &LinearSvm::multiclass_,
                 "one_versus_rest: one problem per class; crammer_singer: one for all classes, "
                 "with the plain hinge loss of the strongest rival",
                 choices({"one_versus_rest", "crammer_singer"}));
  return with_class_weights(declaration)
      .parameter("path", &LinearSvm::path_,
                 "smaller costs to solve before C, increasing, each starting from the optimum of "
                 "the previous one; the report then has a curve over all costs. With 'C: "
                 "automatic' the candidates",
                 above(0))
      .parameter("folds", &LinearSvm::folds_, "number of folds that choose 'C: automatic'",
                 at_least(2), at_most(1000))
      .parameter("tolerance", &LinearSvm::tolerance_,
                 "stop when (objective - lower bound) / objective is below this", above(0),
                 below(1))
      .parameter("max_iterations", &LinearSvm::max_iterations_,
                 "maximum number of iterations per cost", at_least(1))
      .distributed()
      .uses_device()
      .takes_weights()
      .accepts_sparse()
      .reports(machine_figures())
      .reports(path_figures())
      .reports(common::choice_figures())
      .gone({.written = "preconditioner",
             .since = "1.0",
             .advice = "the rows decide: a sample of them where they are dense, else the squares "
                       "of the columns",
             .usual = "automatic"})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, C: 1, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

void LinearSvm::check_parameters() const {
  check_class_weights();
  common::check_costs(path_, number_given(cost_));
  common::check_folds(static_cast<double>(folds_), cost_);
  const bool joint = multiclass_ == "crammer_singer";
  if (joint && regularizer_ == "l1")
    throw Error("'multiclass: crammer_singer' is defined with 'regularizer: l2' only");
}

/// Crammer and Singer's dual method, and that for sparse samples, take one sample after the other.
bool LinearSvm::distributes() const { return multiclass_ != "crammer_singer" && !sparse_; }

Layout LinearSvm::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot be classified");
  sparse_ = input.kind == LayoutKind::sparse;
  return Layout::vector(model_.classes());
}

LinearTask LinearSvm::task_of(const TrainingSet& training, std::vector<double> costs) const {
  LinearTask task{training, std::move(costs), row_weights(training),
                  bias_,    tolerance_,       static_cast<std::size_t>(max_iterations_)};
  task.about_means = center_ && bias_ != 0;
  return task;
}

/// Cross-validation with the same folds for all costs. They do not depend on the run's seed, as
/// nothing else does.
common::CostChoice LinearSvm::choose(const TrainingSet& training, Context& context) const {
  const std::vector<std::size_t> fold_of =
      common::cost_folds(training, static_cast<std::size_t>(folds_));
  LinearTask task = task_of(training, path_);
  if (path_.empty()) task.costs = automatic_costs(task, context);
  const bool in_span = regularizer_ == "l2" && multiclass_ == "one_versus_rest" && !sparse_;
  return choose_cost(
      task, fold_of, [&](std::span<const char> trains) { return row_weights(training, trains); },
      in_span, [this](const LinearTask& trial, Context& inner) { return solve(trial, inner); },
      context);
}

std::vector<double> LinearSvm::costs_to_solve(const TrainingSet& training, Report& report,
                                              Context& context) const {
  if (const auto number = number_given(cost_)) {
    std::vector<double> costs = path_;
    costs.push_back(*number);
    return costs;
  }
  const auto begin = std::chrono::steady_clock::now();
  const common::CostChoice choice = choose(training, context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  common::report_choice(choice, report, context);
  report.number("choice_seconds", seconds.count());
  return {choice.costs[choice.best]};
}

/// The memory of the weights for all costs but the one that is being solved.
std::size_t bytes_for_other_costs(const LinearTask& task, const Context& context) {
  const std::size_t vectors = std::max(task.problems(), std::size_t{1}), d = task.dimension(),
                    costs = task.costs.size(),
                    bytes = (costs - 1) * vectors * padded(d) * sizeof(double);
  if (bytes > context.memory_budget())
    throw MemoryError("the weights for " + std::to_string(costs) + " values of C take " +
                      std::to_string((bytes >> 20) + 1) + " MiB: 8 bytes x " + std::to_string(d) +
                      " columns x " + std::to_string(vectors) + " problems each, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are left; raise --memory, or name fewer costs in 'path'");
  return bytes;
}

std::vector<Solution> LinearSvm::solve(const LinearTask& task, Context& outer) const {
  common::WithMemory context(
      outer, common::left_of(outer.memory_budget(), bytes_for_other_costs(task, outer)));
  const Regularizer regularizer = regularizer_ == "l1" ? Regularizer::l1 : Regularizer::l2;
  const auto method = [&](const LinearTask& all, Context& own) {
    if (multiclass_ == "crammer_singer") return train_crammer_singer(all, own);
    return train_independent_problems(all, regularizer, own);
  };
  return train_about_means(task, method, context);
}

void LinearSvm::train(const TrainingSet& given, Report& report, Context& outer) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(given);
  common::check_finite(given.rows, outer);
  const common::UsedColumns used(given, outer);
  common::WithMemory context(outer, common::left_of(outer.memory_budget(), used.bytes()));
  const TrainingSet& training = used.training();
  const LinearTask task = task_of(training, costs_to_solve(training, report, context));
  const std::vector<Solution> solutions = solve(task, context);
  model_ = LinearModel(solutions.back().weights, used.columns(), task.classes(), bias_);
  model_.add(solutions.back().offsets);
  if (sparse_) model_.take_sparse_rows();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
  report_solution(solutions.back(), task, report);
  if (!path_.empty()) report_path(solutions, task, report, context);
}

void LinearSvm::apply(MatrixView in, MutableMatrixView out, Context&) const {
  model_.scores(in, out);
}

void LinearSvm::save(StateWriter& state) const { model_.save(state); }

void LinearSvm::load(const StateReader& state, Context&) {
  model_ = LinearModel::load(state);
  if (sparse_) model_.take_sparse_rows();
}

}  // namespace

ComponentEntry declare_linear_svm() { return LinearSvm::declare().entry(); }

}  // namespace semblance::linear
