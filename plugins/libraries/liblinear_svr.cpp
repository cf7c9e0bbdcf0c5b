// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "liblinear_training.hpp"
#include "linear_objective.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"
#include "sparse_nodes.hpp"
#include "training_checks.hpp"

namespace semblance::libraries {
namespace {

/// `solver/liblinear_svr`: the LIBLINEAR library's regressions, as a baseline.
class LiblinearSvr final : public Regressor, public Exportable {
 public:
  static Declaration<LiblinearSvr> declare();

  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// One target number.
  struct Trained {
    LinearObjective objective;
    double gap = 0;
    Certificate certificate = Certificate::converged;
    bool plausible = true;
  };
  Trained train_one(const Rows& rows, feature_node** nodes, std::vector<double> targets,
                    Context& context);
  std::size_t targets() const noexcept { return weights_.size() / (inputs_ + 1); }
  bool squared() const { return solver_ != "l2r_l1loss_svr_dual"; }
  bool dual() const { return solver_ != "l2r_l2loss_svr"; }

  std::string solver_ = "l2r_l2loss_svr";
  double cost_ = 1;
  double epsilon_ = 0;
  double eps_ = 0;
  double bias_ = 1;

  std::size_t inputs_ = 0;
  std::vector<double> weights_;  // target numbers x (inputs_ + 1), the bias weight last
};

Declaration<LiblinearSvr> LiblinearSvr::declare() {
  return Declaration<LiblinearSvr>("solver/liblinear_svr",
                                   "LIBLINEAR's support vector regressions, as a baseline")
      .documentation(
          "Linear regressions of the LIBLINEAR library (-s 11, 12 and 13), one training per target "
          "number. The objective is computed from the weights, summed over the target numbers; if "
          "the library stops at its iteration limit or warns, the certificate says 'iteration "
          "limit'. duality_gap is reported for the dual solvers, gradient_norm (relative to w = 0) "
          "for the other. Targets are not centred: the regularized bias pulls estimates towards 0. "
          "The library cannot be interrupted: a stop request is seen only before each training. "
          "Only one training runs at a time, because its random numbers are global. It takes no "
          "sample weights; solver/linear_svr does.")
      .reference(
          "Fan, Chang, Hsieh, Wang, Lin: LIBLINEAR, JMLR 9, 2008; Ho and Lin: Large-scale Linear "
          "Support Vector Regression, JMLR 13, 2012")
      .complexity("16 bytes per non-zero value in addition to the rows themselves")
      .random()
      .accepts_sparse()
      .parameter("solver", &LiblinearSvr::solver_,
                 "the library's solver: for the squared epsilon-insensitive loss, in the primal or "
                 "dual, or for the epsilon-insensitive loss",
                 choices({"l2r_l2loss_svr", "l2r_l2loss_svr_dual", "l2r_l1loss_svr_dual"}))
      .parameter("C", &LiblinearSvr::cost_, "weight of the losses against the regularizer",
                 above(0))
      .parameter("epsilon", &LiblinearSvr::epsilon_,
                 "errors up to this size are no loss, in the unit of the targets (the library's "
                 "-p, 0.1 there)",
                 at_least(0))
      .parameter("eps", &LiblinearSvr::eps_,
                 "the library's stopping tolerance; 0: its default (0.001, dual solvers 0.1)",
                 at_least(0))
      .parameter("bias", &LiblinearSvr::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0))
      .reports(common::solver_figures(
          {"objective", "duality_gap", "gradient_norm", "parameters", "train_seconds"}))
      .example(R"(
        table: {is: source/friedman, train: 100, test: 100}
        x:     {is: normalizer/zscore, from: table}
        svr:   {is: solver/liblinear_svr, C: 1, from: x}
        test:  {is: evaluator/regression, from: svr})");
}

Layout LiblinearSvr::bind(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot predict numbers");
  inputs_ = input.size();
  return Layout::vector(targets());
}

LiblinearSvr::Trained LiblinearSvr::train_one(const Rows& rows, feature_node** nodes,
                                              std::vector<double> targets, Context& context) {
  const problem data{static_cast<int>(rows.rows()), static_cast<int>(inputs_ + (bias_ > 0 ? 1 : 0)),
                     targets.data(), nodes, bias_ > 0 ? bias_ : -1};
  parameter settings{};
  settings.solver_type = !squared() ? L2R_L1LOSS_SVR_DUAL
                         : dual()   ? L2R_L2LOSS_SVR_DUAL
                                    : L2R_L2LOSS_SVR;
  settings.eps = eps_ > 0 ? eps_ : dual() ? 0.1 : 0.001;
  settings.C = cost_;
  settings.p = epsilon_;
  LibraryOutput output;
  const LiblinearModel model =
      run_liblinear(data, settings, static_cast<unsigned>(context.random().bits()), output);
  output.log_to(context);
  std::vector<double> w(inputs_ + 1);
  std::copy_n(model->w, data.n, w.begin());
  Trained trained;
  trained.objective = regression_objective(rows, targets, w, bias_, squared(), epsilon_, cost_);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(w, finite) || !finite(trained.objective.value))
    throw Error("LIBLINEAR's objective is not finite; lower C, or scale the samples");
  // Printed as a minimisation problem. 0 if nothing is lost at w = 0.
  const double bound = -output.sum_after("Objective value = ").total;
  const double value = trained.objective.value;
  trained.gap = value > 0 ? (value - bound) / value : 0;
  // The library's loops also end if numbers overflow.
  trained.plausible =
      dual() ? std::abs(trained.gap) < largest_liblinear_gap : trained.objective.gradient_norm < 1;
  trained.certificate =
      trained.plausible ? liblinear_certificate(output) : Certificate::iteration_limit;
  weights_.insert(weights_.end(), w.begin(), w.end());
  return trained;
}

void LiblinearSvr::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  const std::size_t rows = training.rows.rows(), count = training.target_names.size();
  inputs_ = training.rows.cols();
  weights_.clear();

  // The library copies the row pointers and has a few numbers per row and column.
  const std::size_t more =
      rows * (sizeof(void*) + 8 * sizeof(double)) + inputs_ * (count + 4) * sizeof(double);
  SparseNodes<feature_node> nodes(training.rows, bias_, more, "LIBLINEAR", context);
  Certificate certificate = Certificate::converged;
  double objective = 0, gap = 0, gradient = 0;
  bool plausible = true;
  for (std::size_t t = 0; t < count; ++t) {
    context.check_stop();
    std::vector<double> targets(rows);
    for (std::size_t i = 0; i < rows; ++i) targets[i] = training.targets[i * count + t];
    const Trained one = train_one(training.rows, nodes.rows(), std::move(targets), context);
    objective += one.objective.value;
    gap += one.gap * one.objective.value;
    gradient = std::max(gradient, one.objective.gradient_norm);
    certificate = std::max(certificate, one.certificate);
    plausible = plausible && one.plausible;
  }
  if (!plausible)
    report.text("remedy",
                "LIBLINEAR ended without evidence of being near an optimum; lower C, or scale the "
                "samples");
  report.text("certificate", name(certificate));
  report.number("objective", objective);
  if (dual())
    report.number("duality_gap", objective > 0 ? gap / objective : 0);
  else
    report.number("gradient_norm", gradient);
  report.integer("parameters", static_cast<std::int64_t>(count * (inputs_ + (bias_ > 0 ? 1 : 0))));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void LiblinearSvr::apply(MatrixView in, MutableMatrixView out, Context&) const {
  common::check_estimates(out, targets());
  if (in.cols != inputs_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t t = 0; t < targets(); ++t)
      out.row(i)[t] =
          static_cast<float>(decision_value(in, i, weights_.data() + t * (inputs_ + 1), bias_));
}

void LiblinearSvr::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.number("bias", bias_);
  state.doubles("weights", weights_);
}

void LiblinearSvr::load(const StateReader& state, Context&) {
  const std::int64_t inputs = state.integer("inputs");
  std::vector<double> weights = state.doubles("weights");
  if (inputs < 1 || weights.empty() || weights.size() % (static_cast<std::size_t>(inputs) + 1) != 0)
    throw Error("the saved LIBLINEAR model has arrays of the wrong size; train it again");
  inputs_ = static_cast<std::size_t>(inputs);
  bias_ = state.number("bias");
  weights_ = std::move(weights);
}

Formula::Value LiblinearSvr::write(Formula& formula, Formula::Value in) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  std::vector<double> matrix, offsets;
  for (std::size_t t = 0; t < targets(); ++t) {
    const double* w = weights_.data() + t * (inputs_ + 1);
    matrix.insert(matrix.end(), w, w + inputs_);
    offsets.push_back(w[inputs_] * bias_);
  }
  const auto products = formula.products(formula.widen(in), matrix);
  return formula.narrow(formula.add(products, formula.constant(std::span<const double>(offsets))));
}

}  // namespace

ComponentEntry declare_liblinear_svr() { return LiblinearSvr::declare().entry(); }

}  // namespace semblance::libraries
