// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "libsvm_functions.hpp"
#include "named_class.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::libraries {
namespace {

/// `solver/libsvm_svr`: the LIBSVM library's epsilon-SVR and nu-SVR, as baselines.
class LibSvmSvr final : public Regressor, public LibSvmFunctions {
 public:
  static Declaration<LibSvmSvr> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override {
    bind_rows(input);
    return Layout::vector(functions());
  }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_functions(in, out, context);
  }
  void save(StateWriter& state) const override { save_functions(state); }
  void load(const StateReader& state, Context&) override { load_functions(state); }

 private:
  static constexpr double default_epsilon = 0.1, default_nu = 0.5;

  std::string loss_ = "epsilon";
  double cost_ = 1;
  double epsilon_ = default_epsilon;
  double nu_ = default_nu;
};

Declaration<LibSvmSvr> LibSvmSvr::declare() {
  Declaration<LibSvmSvr> declaration(
      "solver/libsvm_svr",
      "LIBSVM's support vector regression (epsilon-SVR, nu-SVR), as a baseline");
  declaration
      .documentation(
          "One machine for each target number. C, epsilon and eps are in the unit of the target: "
          "targets that are much larger or smaller than 1 need other values. `objective` is the "
          "dual objective that the library minimizes, by its coefficients in double. gradient_norm "
          "is the bound `eps` on the violation of the optimality conditions at which the library "
          "stops. If it gives up earlier, after 10,000,000 steps or 100 per variable, two for each "
          "row, the certificate says 'iteration limit'. The library cannot be interrupted: a stop "
          "request is seen only before and after the training of a target. Only one training runs "
          "at a time. It takes no sample weights; solver/kernel_svr does.")
      .accepts_sparse()
      .reference(
          "Chang, Lin: LIBSVM, a library for support vector machines, 2011, sections 2.4 and 2.5")
      .complexity(
          "time: rows^2 x columns and more for each target; memory: 16 bytes per non-zero value "
          "plus the cache")
      .reports(common::solver_figures(
          {"objective", "gradient_norm", "iterations", "support_vectors", "train_seconds"}));
  with_libsvm_kernel(declaration)
      .parameter("loss", &LibSvmSvr::loss_,
                 "epsilon: deviations up to epsilon cost nothing; nu: epsilon is chosen so that at "
                 "most a share nu of the rows deviate more",
                 choices({"epsilon", "nu"}))
      .parameter("C", &LibSvmSvr::cost_, "weight of the losses against the regularizer", above(0))
      .parameter("epsilon", &LibSvmSvr::epsilon_,
                 "for the loss epsilon: deviation from the target that costs nothing", at_least(0))
      .parameter("nu", &LibSvmSvr::nu_, "for the loss nu: the largest share of rows that deviate",
                 above(0), at_most(1));
  return with_libsvm_options(declaration).example(R"(
        table: {is: source/friedman, train: 200}
        svr:   {is: solver/libsvm_svr, gamma: 1, C: 10, epsilon: 0.5, from: table}
        test:  {is: evaluator/regression, from: svr})");
}

void LibSvmSvr::check_parameters() const {
  if (loss_ == "nu" && epsilon_ != default_epsilon)
    throw Error("epsilon is used by loss: epsilon only; set that, or remove epsilon");
  if (loss_ == "epsilon" && nu_ != default_nu)
    throw Error("nu is used by loss: nu only; set that, or remove nu");
}

void LibSvmSvr::train(const TrainingSet& training, Report& report, Context& context) {
  common::check_targets(training);
  common::check_finite(training.rows, context);
  const std::size_t count = training.target_names.size();
  std::vector<std::vector<double>> targets(count);
  for (std::size_t k = 0; k < training.targets.size(); ++k)
    targets[k % count].push_back(training.targets[k]);
  svm_parameter settings = settings_for(training.rows.cols());
  settings.svm_type = loss_ == "nu" ? NU_SVR : EPSILON_SVR;
  settings.C = cost_;
  settings.p = epsilon_;
  settings.nu = nu_;
  train_functions(training, common::rows_of_class(training, "", ""), settings, std::move(targets),
                  report, context);
}

}  // namespace

ComponentEntry declare_libsvm_svr() { return LibSvmSvr::declare().entry(); }

}  // namespace semblance::libraries
