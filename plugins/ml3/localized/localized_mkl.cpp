// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "convergence_report.hpp"
#include "localized/localized_svm.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/localized_mkl`: SVMs with locally combined linear kernels.
class LocalizedMkl final : public Solver, public ClassWeights {
 public:
  static Declaration<LocalizedMkl> declare();

  void check_parameters() const override { check_class_weights(); }
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return static_cast<std::size_t>(kernels_); }
  /// A kernel's share is its gate in the machine of the class.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  /// The stored part of a LocalizedSvm.
  struct Machine {
    VectorColumns columns;  ///< of the gates, then the kernels' weights
    double bias = 0;
  };
  static Machine kept(const LocalizedSvm& machine);
  std::size_t machine_count() const { return classes_ == 2 ? 1 : classes_; }
  std::vector<LocalizedSvm> train_machines(const TrainingSet& training, Context& context) const;
  void report_machines(const std::vector<LocalizedSvm>& machines, const TrainingSet& training,
                       Report& report, Context& context) const;
  void for_each_row(MatrixView in, const Machine& machine,
                    const std::function<void(std::size_t, std::span<const double>,
                                             std::span<const double>)>& body) const;
  void check_trained(MatrixView in) const;

  std::int64_t kernels_ = 10;
  double cost_ = 1;
  double tolerance_ = 1e-3;
  std::int64_t iterations_ = 50;
  double least_gain_ = 1e-3;
  bool center_ = true;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  Centre centre_;
  std::vector<Machine> machines_;  // of the second of two classes, or of each class
};

/// A machine that was not trained for lack of time: its value is 0 everywhere.
LocalizedSvm not_begun(std::size_t kernels, std::size_t cols, const Context& context) {
  LocalizedSvm nothing;
  nothing.gating = Gating(kernels, cols);
  nothing.weights.resize(kernels * cols);
  nothing.objectives = {0};
  nothing.gradient_norm = 1;
  nothing.certificate = stop_certificate(context);
  return nothing;
}

/// Gates that differ a little, for rows of length about 1.
Gating random_gating(std::size_t kernels, std::size_t cols, Random& random) {
  Gating gating(kernels, cols);
  for (double& v : gating.values) v = random.normal() / std::sqrt(double(cols + 1));
  return gating;
}

Declaration<LocalizedMkl> LocalizedMkl::declare() {
  Declaration<LocalizedMkl> declaration("solver/localized_mkl",
                                        "Localized multiple kernel learning: linear kernels with "
                                        "softmax gates, an SVM on their combination");
  declaration
      .documentation(
          "The kernel is the sum over m of eta_m(x) (x . x') eta_m(x'), with the gates eta_m(x) = "
          "exp(v_m . x + v_m0) over their sum, of rows x minus the columns' means. Training "
          "alternates between an SVM with hinge loss "
          "on this kernel and a gradient step on the gates that lowers J, the maximum of the SVM's "
          "dual; each step is halved until J falls enough, which takes another SVM solution each "
          "time. It ends when a step lowers J by less than `least_gain` of it, or not at all. The "
          "gates start at random, with parameters of variance 1 / (columns + 1); J has many local "
          "minima. Two classes need one machine, more classes one each against the rest. "
          "`objective` is the sum of the machines' J, `gradient_norm` the largest remaining share "
          "of the initial gradient. The result does not depend on the number of threads.")
      .reference("Gönen and Alpaydin: Localized Multiple Kernel Learning, ICML 2008; ML3, Table 2")
      .complexity(
          "an SVM on n rows of kernels x columns values for each trial step, which begins at the "
          "last one's solution; memory: 4 columns + 28 kernels + 130 bytes per row")
      .random()
      .takes_weights()
      .parameter("kernels", &LocalizedMkl::kernels_, "number of local linear kernels", at_least(1),
                 at_most(1000))
      .parameter("C", &LocalizedMkl::cost_,
                 "weight of the hinge losses against the regularizer: the larger, the closer the "
                 "fit to the training rows",
                 above(0))
      .parameter("tolerance", &LocalizedMkl::tolerance_,
                 "violation of an SVM's optimality conditions at which it stops", above(0),
                 at_most(1))
      .parameter("iterations", &LocalizedMkl::iterations_,
                 "maximum number of gradient steps on the gates", at_least(0))
      .parameter("least_gain", &LocalizedMkl::least_gain_,
                 "share of J that a step must gain to be followed by another", at_least(0),
                 at_most(1))
      .parameter("center", &LocalizedMkl::center_,
                 "train about the columns' means; false: as the paper prints it");
  return with_class_weights(declaration)
      .reports(
          common::solver_figures({"objective", "gradient_norm", "parameters", "train_seconds"}))
      .example(R"(
        points: {is: source/xor, train: 200}
        svm:    {is: solver/localized_mkl, kernels: 4, from: points}
        test:   {is: evaluator/classification, from: svm})");
}

Layout LocalizedMkl::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

void LocalizedMkl::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  centre_ = center_ ? column_means(training.rows, row_weights(training), context) : Centre();
  const std::vector<LocalizedSvm> trained = train_machines(training, context);
  report_machines(trained, training, report, context);
  machines_.clear();
  for (const LocalizedSvm& machine : trained) machines_.push_back(kept(machine));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

/// Trains machines of several classes at the same time, if memory permits.
std::vector<LocalizedSvm> LocalizedMkl::train_machines(const TrainingSet& training,
                                                       Context& context) const {
  const std::size_t rows = training.rows.rows(), machines = machine_count();
  const std::size_t needed = localized_bytes(rows, inputs_, local_models());
  if (needed > context.memory_budget())
    throw MemoryError("training on " + std::to_string(rows) + " rows needs " +
                      std::to_string((needed >> 20) + 1) + " MiB, but may use only " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB; train on fewer rows, or give it more --memory");
  const MatrixView values = training.rows.view(0, rows);
  const std::vector<double> weights = row_weights(training);
  const LocalizedOptions options{cost_,       tolerance_, static_cast<std::size_t>(iterations_),
                                 least_gain_, centre_,    weights};
  Random random = context.random();
  std::vector<Gating> starts;
  for (std::size_t c = 0; c < machines; ++c)
    starts.push_back(random_gating(local_models(), inputs_, random));
  std::vector<LocalizedSvm> trained(machines);
  std::atomic<std::size_t> ready = 0;
  const auto train_one = [&](std::size_t c) {
    if (context.stop_requested() != StopReason::none) {
      trained[c] = not_begun(local_models(), inputs_, context);
      return;
    }
    const auto positive = static_cast<std::int32_t>(classes_ == 2 ? 1 : c);
    std::vector<signed char> labels(rows);
    for (std::size_t i = 0; i < rows; ++i) labels[i] = training.labels[i] == positive ? 1 : -1;
    trained[c] = train_localized(values, labels, std::move(starts[c]), options, context);
    context.progress(double(++ready), double(machines));
  };
  if (needed * std::min(machines, context.threads()) <= context.memory_budget())
    context.parallel_for(machines, train_one);
  else
    for (std::size_t c = 0; c < machines; ++c) train_one(c);
  return trained;
}

LocalizedMkl::Machine LocalizedMkl::kept(const LocalizedSvm& machine) {
  const std::size_t kernels = machine.gating.kernels, cols = machine.gating.cols;
  Machine kept{VectorColumns(2 * kernels, cols + 1), machine.bias};
  for (std::size_t m = 0; m < kernels; ++m) {
    for (std::size_t k = 0; k <= cols; ++k) kept.columns.at(k)[m] = machine.gating.row(m)[k];
    for (std::size_t k = 0; k < cols; ++k)
      kept.columns.at(k)[kernels + m] = machine.weights[m * cols + k];
  }
  return kept;
}

void LocalizedMkl::report_machines(const std::vector<LocalizedSvm>& machines,
                                   const TrainingSet& training, Report& report,
                                   Context& context) const {
  Certificate certificate = Certificate::converged;
  double objective = 0, gradient = 0;
  Table table{"machines", "class", "", {}, {"objective", "steps", "SVMs", "support vectors"}, {}};
  for (std::size_t c = 0; c < machines.size(); ++c) {
    const LocalizedSvm& machine = machines[c];
    certificate = std::max(certificate, machine.certificate);
    objective += machine.objectives.back();
    gradient = std::max(gradient, machine.gradient_norm);
    table.rows.push_back(training.classes[classes_ == 2 ? 1 : c]);
    table.values.insert(table.values.end(),
                        {machine.objectives.back(), double(machine.objectives.size() - 1),
                         double(machine.machines), double(machine.vectors)});
  }
  if (context.stop_requested() == StopReason::none && certificate == Certificate::iteration_limit)
    context.log(LogLevel::info,
                "the gates were still improving after " + std::to_string(iterations_) + " steps");
  report.text("certificate", name(certificate));
  report.number("objective", objective);
  report.number("gradient_norm", gradient);
  report.integer("parameters", static_cast<std::int64_t>(machines.size() *
                                                         (local_models() * (2 * inputs_ + 1) + 1)));
  report.table(table);
  const auto slowest = std::ranges::max_element(
      machines, {}, [](const LocalizedSvm& machine) { return machine.objectives.size(); });
  common::report_convergence(slowest->convergence.points(), "gradient step on the gates",
                             "relative decrease of the objective", least_gain_, report);
  if (machines.size() > 1) return;
  Curve curve{"objective_by_step", "gradient step on the gates", "objective", {}, {}};
  for (std::size_t s = 0; s < machines[0].objectives.size(); ++s) {
    curve.x.push_back(double(s));
    curve.y.push_back(machines[0].objectives[s]);
  }
  report.curve(curve);
}

void LocalizedMkl::check_trained(MatrixView in) const {
  if (machines_.empty()) throw Error("the solver has not been trained");
  if (in.cols != inputs_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
}

/// Calls body(i, gates, w_m . x of all kernels) for every row x, minus the centre.
void LocalizedMkl::for_each_row(MatrixView in, const Machine& machine,
                                const std::function<void(std::size_t, std::span<const double>,
                                                         std::span<const double>)>& body) const {
  constexpr std::size_t most = 256;
  const std::size_t stride = machine.columns.stride();
  numerics::AlignedArray<double> products(std::min(most, in.rows) * stride);
  for (std::size_t first = 0; first < in.rows; first += most) {
    const std::size_t count = std::min(most, in.rows - first);
    multiply(about(centre_, in.rows_range(first, count)).view(), machine.columns, products.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> gates(products.data() + i * stride, local_models());
      softmax(gates);
      body(first + i, gates, {gates.data() + gates.size(), gates.size()});
    }
  }
}

void LocalizedMkl::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_trained(in);
  common::check_scores(out, classes_);
  for (std::size_t c = 0; c < machines_.size(); ++c)
    for_each_row(in, machines_[c],
                 [&](std::size_t i, std::span<const double> gates, std::span<const double> values) {
                   out.row(i)[classes_ == 2 ? 1 : c] = static_cast<float>(std::inner_product(
                       gates.begin(), gates.end(), values.begin(), machines_[c].bias));
                 });
  if (classes_ == 2)
    for (std::size_t i = 0; i < in.rows; ++i) out.row(i)[0] = -out.row(i)[1];
}

void LocalizedMkl::assign(MatrixView in, std::span<const std::int32_t> classes,
                          MutableMatrixView shares, Context&) const {
  check_trained(in);
  for (std::size_t c = 0; c < machines_.size(); ++c)
    for_each_row(in, machines_[c],
                 [&](std::size_t i, std::span<const double> gates, std::span<const double>) {
                   if (classes_ == 2 || classes[i] == static_cast<std::int32_t>(c))
                     std::transform(gates.begin(), gates.end(), shares.row(i),
                                    [](double e) { return static_cast<float>(e); });
                 });
}

void LocalizedMkl::save(StateWriter& state) const {
  common::save_inputs(state, inputs_, centre_);
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integer("kernels", kernels_);
  std::vector<double> gates, weights, biases;
  for (const Machine& machine : machines_) {
    for (std::size_t m = 0; m < local_models(); ++m) {
      for (std::size_t k = 0; k <= inputs_; ++k) gates.push_back(machine.columns.at(k)[m]);
      for (std::size_t k = 0; k < inputs_; ++k)
        weights.push_back(machine.columns.at(k)[local_models() + m]);
    }
    biases.push_back(machine.bias);
  }
  state.doubles("gates", gates);
  state.doubles("weights", weights);
  state.doubles("biases", biases);
}

void LocalizedMkl::load(const StateReader& state, Context&) {
  auto [inputs, centre] = common::load_inputs(state);
  const std::int64_t classes = state.integer("classes");
  const std::int64_t kernels = state.integer("kernels");
  const std::vector<double> gates = state.doubles("gates"), weights = state.doubles("weights");
  const std::vector<double> biases = state.doubles("biases");
  const auto machines =
      static_cast<std::size_t>(classes == 2 ? 1 : std::max<std::int64_t>(classes, 0));
  const auto m = static_cast<std::size_t>(std::max<std::int64_t>(kernels, 0));
  const auto d = static_cast<std::size_t>(std::max<std::int64_t>(inputs, 0));
  // One by one, so that no product of damaged sizes can overflow.
  if (inputs < 1 || classes < 2 || kernels < 1 || biases.size() != machines || m > weights.size() ||
      d > weights.size() || m * d > weights.size() || gates.size() != machines * m * (d + 1) ||
      weights.size() != machines * m * d)
    throw Error("the saved model has an array of the wrong size; train it again");
  inputs_ = d;
  centre_ = std::move(centre);
  classes_ = static_cast<std::size_t>(classes);
  kernels_ = kernels;
  machines_.clear();
  for (std::size_t c = 0; c < machines; ++c) {
    LocalizedSvm machine;
    machine.gating = Gating(m, d);
    std::copy_n(gates.data() + c * m * (d + 1), m * (d + 1), machine.gating.values.data());
    const auto first = weights.begin() + static_cast<std::ptrdiff_t>(c * m * d);
    machine.weights.assign(first, first + static_cast<std::ptrdiff_t>(m * d));
    machine.bias = biases[c];
    machines_.push_back(kept(machine));
  }
}

}  // namespace

ComponentEntry declare_localized_mkl() { return LocalizedMkl::declare().entry(); }

}  // namespace semblance::ml3
