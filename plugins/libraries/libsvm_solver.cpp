// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "imported_nodes.hpp"
#include "library_output.hpp"
#include "library_weights.hpp"
#include "libsvm_model.hpp"
#include "libsvm_training.hpp"
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
  svm_parameter settings() const;

  std::string kernel_ = "rbf";
  double cost_ = 1;
  double gamma_ = 0;
  std::int64_t degree_ = 3;
  double coef0_ = 0;
  double eps_ = 1e-3;
  double cache_mib_ = 100;
  bool shrinking_ = true;

  Layout layout_;
  std::size_t inputs_ = 0;
  std::unique_ptr<LibSvmModel> model_;
};

int kernel_type(const std::string& name) {
  if (name == "linear") return LINEAR;
  if (name == "polynomial") return POLY;
  if (name == "sigmoid") return SIGMOID;
  return RBF;
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
          "time: rows^2 x columns and more; memory: 16 bytes per non-zero value plus the cache")
      .parameter("kernel", &LibSvm::kernel_, "the kernel k(x, z)",
                 choices({"linear", "polynomial", "rbf", "sigmoid"}))
      .parameter("C", &LibSvm::cost_,
                 "weight of the losses against the regularizer: the larger, the closer the fit to "
                 "the training rows",
                 above(0))
      .parameter("gamma", &LibSvm::gamma_,
                 "factor of x.z or |x - z|^2 in the kernel; 0: one divided by the columns",
                 at_least(0))
      .parameter("degree", &LibSvm::degree_, "degree of the polynomial kernel", at_least(1),
                 at_most(100))
      .parameter("coef0", &LibSvm::coef0_, "added to gamma x.z in polynomial and sigmoid kernels")
      .parameter("eps", &LibSvm::eps_, "the library's stopping tolerance", above(0))
      .parameter("cache", &LibSvm::cache_mib_, "size of the kernel row cache", unit("MiB"),
                 above(0))
      .parameter("shrinking", &LibSvm::shrinking_, "use the library's shrinking heuristic");
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

svm_parameter LibSvm::settings() const {
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = kernel_type(kernel_);
  settings.degree = static_cast<int>(degree_);
  settings.gamma = gamma_ > 0 ? gamma_ : 1 / static_cast<double>(inputs_);
  settings.coef0 = coef0_;
  settings.cache_size = cache_mib_;
  settings.eps = eps_;
  settings.shrinking = shrinking_;
  settings.C = cost_;
  return settings;
}

void LibSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  context.check_stop();
  const std::size_t rows = training.rows.rows();
  inputs_ = training.rows.cols();

  const auto cache = static_cast<std::size_t>(cache_mib_ * (1 << 20));
  SparseNodes<svm_node> nodes(training.rows, 0, cache + rows * 10 * sizeof(double), "LIBSVM",
                              context);
  std::vector<double> labels(training.labels.begin(), training.labels.end());
  const svm_problem data{static_cast<int>(rows), labels.data(), nodes.rows()};
  svm_parameter settings = this->settings();
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
