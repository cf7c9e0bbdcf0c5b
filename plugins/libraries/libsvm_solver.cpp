// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "imported_nodes.hpp"
#include "library_output.hpp"
#include "library_weights.hpp"
#include "libsvm_choice.hpp"
#include "libsvm_model.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"
#include "solver_figures.hpp"
#include "sparse_nodes.hpp"
#include "training_checks.hpp"

namespace semblance::libraries {
namespace {

/// `solver/libsvm`: the LIBSVM library's C-SVC, as a baseline.
class LibSvm final : public Solver,
                     public LibSvmChoice,
                     public ClassWeights,
                     public Exportable,
                     public SupportVectors,
                     public TakesSupportVectors {
 public:
  static Declaration<LibSvm> declare();

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  SupportVectorMachine support_vectors() const override;
  std::string nodes(const SupportVectorMachine& machine) const override;
  void take(const SupportVectorMachine& machine) override;

 private:
  double cost_ = 1;

  Layout layout_;
  std::size_t inputs_ = 0;
  std::unique_ptr<LibSvmModel> model_;
};

/// Whether the library ended a problem by its own limit of steps (Solver::Solve()), which it
/// reports only on stderr. Problems are solved in the order of pairs of its labels.
bool reached_limit(const svm_model& model, std::span<const std::int32_t> labels,
                   const LibraryOutput& output) {
  constexpr double fewest = 1e7, per_row = 100;
  const std::vector<double> steps = output.all_after("#iter = ");
  std::vector<double> rows(static_cast<std::size_t>(model.nr_class));
  for (std::size_t c = 0; c < rows.size(); ++c)
    rows[c] = static_cast<double>(std::ranges::count(labels, model.label[c]));
  std::size_t problem = 0;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b, ++problem)
      if (problem < steps.size() &&
          steps[problem] >= std::max(fewest, per_row * (rows[a] + rows[b])))
        return true;
  return output.contains("WARNING");
}

/// The duality gap of all problems relative to the primal, by the decision values of all rows, in
/// double.
double duality_gap(const svm_model& model, const svm_problem& data, const svm_parameter& settings,
                   double dual) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const auto cost = [&](std::size_t c) {
    double factor = 1;
    for (int w = 0; w < settings.nr_weight; ++w)
      if (settings.weight_label[w] == model.label[c]) factor = settings.weight[w];
    return settings.C * factor;
  };
  // |w|^2 / 2 of all problems is the dual plus the sum of their coefficients.
  double primal = dual;
  for (std::size_t c = 0; c + 1 < classes; ++c)
    for (int i = 0; i < model.l; ++i) primal += std::abs(model.sv_coef[c][i]);
  std::vector<double> decisions(classes * (classes - 1) / 2);
  for (int i = 0; i < data.l; ++i) {
    svm_predict_values(&model, data.x[i], decisions.data());
    std::size_t problem = 0;
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = a + 1; b < classes; ++b, ++problem) {
        const int label = static_cast<int>(data.y[i]);
        if (label == model.label[a]) primal += cost(a) * std::max(0.0, 1 - decisions[problem]);
        if (label == model.label[b]) primal += cost(b) * std::max(0.0, 1 + decisions[problem]);
      }
  }
  return primal > 0 ? (primal + dual) / primal : 0;
}

/// The possible error of the gradients in the library's stopping rule: sums of coefficients times
/// kernel values, none of which is larger than the largest on the diagonal.
double rounding(const svm_model& model, const svm_parameter& settings, const Rows& rows) {
  double largest = 0, sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    largest = std::max(largest, std::abs(kernel_of_itself(settings, rows.view(i, 1).row_span(0))));
  for (int c = 0; c + 1 < model.nr_class; ++c)
    for (int i = 0; i < model.l; ++i) sum += std::abs(model.sv_coef[c][i]);
  return std::numeric_limits<double>::epsilon() * sum * largest;
}

Declaration<LibSvm> LibSvm::declare() {
  Declaration<LibSvm> declaration("solver/libsvm", "LIBSVM's kernel SVM (C-SVC), as a baseline");
  declaration
      .documentation(
          "One class against one. Scores are votes; on ties the library's choice, the class that "
          "comes first in the training rows, gets an extra fraction of a vote. With two classes "
          "the scores are (f, -f) of the decision value. The objective is the sum of the pairs' "
          "dual objectives as the library prints them, with its sign (minimized, so negative); "
          "gradient_norm is the bound `eps` on the violation of the optimality conditions at which "
          "the library stops. If it gives up earlier, after 10,000,000 steps or 100 per row of a "
          "pair of classes, the certificate says 'iteration limit', and duality_gap says what is "
          "left. The library cannot be interrupted: a stop request is seen only before and after "
          "training. Only one training runs at a time.\n"
          "\n"
          "Class weights are the library's -w. It takes no sample weights; solver/kernel_svm takes "
          "both.")
      .accepts_sparse()
      .reference("Chang, Lin: LIBSVM, a library for support vector machines, 2011")
      .complexity(
          "time: rows^2 x columns and more; memory: 16 bytes per non-zero value plus the cache");
  with_libsvm_kernel(declaration)
      .parameter("C", &LibSvm::cost_, "weight of the losses against the regularizer", above(0));
  with_libsvm_options(declaration);
  return with_class_weights(declaration)
      .reports(common::solver_figures({"objective", "duality_gap", "gradient_norm", "iterations",
                                       "support_vectors", "train_seconds"}))
      .example(R"(
        points: {is: source/rings, classes: 3}
        svm:    {is: solver/libsvm, gamma: 1, C: 10, from: points}
        test:   {is: evaluator/classification, from: svm})");
}

Layout LibSvm::bind(const Layout& input) {
  layout_ = input;
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(model_ ? model_->classes() : 0);
}

void LibSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  context.check_stop();
  const std::size_t rows = training.rows.rows();
  inputs_ = training.rows.cols();

  SparseNodes<svm_node> nodes = nodes_of(training, context);
  std::vector<double> labels(training.labels.begin(), training.labels.end());
  const svm_problem data{static_cast<int>(rows), labels.data(), nodes.rows()};
  svm_parameter settings = settings_for(inputs_);
  settings.svm_type = C_SVC;
  settings.C = cost_;
  LibraryWeights weights(class_factors(training));
  settings.nr_weight = weights.count();
  settings.weight_label = weights.labels();
  settings.weight = weights.factors();
  LibraryOutput output;
  const ModelPointer trained = run_library(data, settings, output);
  output.log_to(context);
  model_ = std::make_unique<LibSvmModel>(*trained, training.layout);

  const double objective = output.sum_after("obj = ").total;
  if (!std::isfinite(objective))
    throw Error("LIBSVM's objective is not finite; lower C, or scale the samples");
  const double hidden = rounding(*trained, settings, training.rows);
  const bool limit = reached_limit(*trained, training.labels, output),
             lost = !(hidden < settings.eps);
  if (lost)
    report.text("remedy",
                "C times the kernel's values is so large that rounding hides the remaining "
                "improvement; lower C, or scale the samples");
  else if (limit)
    report.text("remedy",
                "LIBSVM gave up after 10,000,000 steps or more; scale the samples "
                "(normalizer/zscore), lower C, or use solver/kernel_svm");
  const bool converged = !limit && !lost;
  report.text("certificate",
              name(converged ? Certificate::converged : Certificate::iteration_limit));
  report.number("objective", objective);
  if (converged)
    report.number("gradient_norm", settings.eps);
  else
    report.number("duality_gap", duality_gap(*trained, data, settings, objective));
  report.integer("iterations", static_cast<std::int64_t>(output.sum_after("#iter = ").total));
  report.integer("support_vectors", static_cast<std::int64_t>(model_->vectors()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void LibSvm::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (!model_) throw Error("the solver has not been trained");
  if (in.cols != model_->inputs() || out.cols != model_->classes())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(model_->inputs()));
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    model_->scores(in, i, out.row_span(i));
  }
}

void LibSvm::save(StateWriter& state) const {
  if (!model_) throw Error("the solver has not been trained");
  model_->save(state);
}

void LibSvm::load(const StateReader& state, Context&) {
  auto model = std::make_unique<LibSvmModel>(state);
  if (model->classes() == 0)
    throw Error("the saved LIBSVM model has inconsistent arrays; train it again");
  model_ = std::move(model);
  inputs_ = model_->inputs();
}

Formula::Value LibSvm::write(Formula& formula, Formula::Value in) const {
  if (!model_) throw Error("the solver has not been trained");
  return model_->write(formula, in);
}

SupportVectorMachine LibSvm::support_vectors() const {
  if (!model_) throw Error("the solver has not been trained");
  return model_->machine();
}

std::string LibSvm::nodes(const SupportVectorMachine& machine) const {
  using Kernel = SupportVectorMachine::Kernel;
  const auto text = [](double number) { return to_text(Value(number)); };
  const Kernel kernel = machine.kernel;
  std::string solver = "solver/libsvm, kernel: ";
  if (kernel == Kernel::linear) return imported_nodes(machine.inputs, solver + "linear");
  if (kernel == Kernel::polynomial) solver += "polynomial";
  if (kernel == Kernel::rbf) solver += "rbf";
  if (kernel == Kernel::sigmoid) solver += "sigmoid";
  solver += ", gamma: " + text(machine.gamma);
  if (kernel != Kernel::rbf)
    solver += ", degree: " + std::to_string(machine.degree) + ", coef0: " + text(machine.coef0);
  return imported_nodes(machine.inputs, solver);
}

void LibSvm::take(const SupportVectorMachine& machine) {
  model_ = std::make_unique<LibSvmModel>(machine, layout_);
}

}  // namespace

ComponentEntry declare_libsvm_solver() { return LibSvm::declare().entry(); }

}  // namespace semblance::libraries
