// SPDX-License-Identifier: MIT
#include "localized_mkl.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "row_products.hpp"
#include "semblance_numerics/product.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::ml3 {
namespace {

FloatMatrix linear_kernel(MatrixView rows, Context& context) {
  FloatMatrix kernel(rows.rows, rows.rows);
  const numerics::PackedRows packed(rows);
  context.parallel_for(block_count(rows.rows), [&](std::size_t b) {
    if (context.stop_requested() != StopReason::none) return;  // as all that would look at it
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows.rows - first);
    numerics::multiply(rows.rows_range(first, count), packed,
                       kernel.view().rows_range(first, count));
  });
  return kernel;
}

/// A machine for which there was no time: its value is 0 everywhere.
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

}  // namespace

Declaration<LocalizedMkl> LocalizedMkl::declare() {
  Declaration<LocalizedMkl> declaration("solver/localized_mkl",
                                        "Localized multiple kernel learning: linear kernels with "
                                        "softmax gates, an SVM on their combination");
  declaration
      .documentation(
          "The kernel is the sum over m of eta_m(x) (x . x') eta_m(x'), with the gates eta_m(x) = "
          "exp(v_m . x + v_m0) over their sum. Training alternates between an SVM with hinge loss "
          "on this kernel and a gradient step on the gates that lowers J, the maximum of the SVM's "
          "dual; each step is halved until J falls enough, which takes another SVM solution each "
          "time. It ends when a step lowers J by less than `least_gain` of it, or not at all. The "
          "gates start at random, with parameters of variance 1 / (columns + 1); J has many local "
          "minima. Two classes need one machine, more classes one each against the rest. "
          "`objective` is the sum of the machines' J, `gradient_norm` the largest remaining share "
          "of the initial gradient. Kernels between all training rows are kept in memory, which "
          "limits it to a few thousand rows. The result does not depend on the number of threads.")
      .reference("Gönen and Alpaydin: Localized Multiple Kernel Learning, ICML 2008; ML3, Table 2")
      .complexity(
          "a machine of n rows for each trial step, and n^2 kernels operations for its kernel; "
          "memory: 8 n^2 bytes")
      .random()
      .takes_weights()
      .parameter("kernels", &LocalizedMkl::kernels_, "number of local linear kernels", at_least(1),
                 at_most(1000))
      .parameter("C", &LocalizedMkl::cost_, "weight of the hinge losses", above(0))
      .parameter("tolerance", &LocalizedMkl::tolerance_,
                 "violation of an SVM's optimality conditions at which it stops", above(0),
                 at_most(1))
      .parameter("iterations", &LocalizedMkl::iterations_,
                 "maximum number of gradient steps on the gates", at_least(0))
      .parameter("least_gain", &LocalizedMkl::least_gain_,
                 "share of J that a step must gain to be followed by another", at_least(0),
                 at_most(1));
  return with_class_weights(declaration)
      .reports(
          solvers::solver_figures({"objective", "gradient_norm", "parameters", "train_seconds"}))
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
  solvers::check_labels(training);
  solvers::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  const std::size_t rows = training.rows.rows();
  const std::size_t needed = localized_bytes(rows, local_models());
  if (needed > context.memory_budget())
    throw Error("the kernels between " + std::to_string(rows) + " training rows need " +
                std::to_string(needed >> 20) + " MiB, but may use only " +
                std::to_string(context.memory_budget() >> 20) +
                " MiB; train on fewer rows, or use solver/ml3, which needs no kernels");
  const MatrixView values = training.rows.view(0, rows);
  const FloatMatrix linear = linear_kernel(values, context);
  Random random = context.random();
  const std::vector<double> weights = row_weights(training);
  const LocalizedOptions options{cost_, tolerance_, static_cast<std::size_t>(iterations_),
                                 least_gain_, weights};
  std::vector<LocalizedSvm> trained;
  for (std::size_t c = 0; c < machine_count(); ++c) {
    if (context.stop_requested() != StopReason::none) {
      trained.push_back(not_begun(local_models(), inputs_, context));
      continue;
    }
    const auto positive = static_cast<std::int32_t>(classes_ == 2 ? 1 : c);
    std::vector<signed char> labels(rows);
    for (std::size_t i = 0; i < rows; ++i) labels[i] = training.labels[i] == positive ? 1 : -1;
    trained.push_back(train_localized(values, labels, linear.view(),
                                      random_gating(local_models(), inputs_, random), options,
                                      context));
    context.progress(double(c + 1), double(machine_count()));
  }
  report_machines(trained, training, report, context);
  machines_.clear();
  for (LocalizedSvm& machine : trained)
    machines_.push_back({std::move(machine.gating), std::move(machine.weights), machine.bias});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
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

double LocalizedMkl::value(const Machine& machine, std::span<const float> row,
                           std::span<double> eta) const {
  machine.gating.weigh(row, eta);
  double sum = machine.bias;
  for (std::size_t m = 0; m < eta.size(); ++m)
    sum += eta[m] *
           std::inner_product(row.begin(), row.end(), machine.weights.data() + m * row.size(), 0.0);
  return sum;
}

void LocalizedMkl::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_trained(in);
  solvers::check_scores(out, classes_);
  std::vector<double> eta(local_models());
  for (std::size_t i = 0; i < in.rows; ++i) {
    for (std::size_t c = 0; c < machines_.size(); ++c)
      out.row(i)[classes_ == 2 ? 1 : c] =
          static_cast<float>(value(machines_[c], in.row_span(i), eta));
    if (classes_ == 2) out.row(i)[0] = -out.row(i)[1];
  }
}

void LocalizedMkl::assign(MatrixView in, std::span<const std::int32_t> classes,
                          MutableMatrixView shares, Context&) const {
  check_trained(in);
  std::vector<double> eta(local_models());
  for (std::size_t i = 0; i < in.rows; ++i) {
    const std::size_t machine = classes_ == 2 ? 0 : static_cast<std::size_t>(classes[i]);
    machines_[machine].gating.weigh(in.row_span(i), eta);
    std::transform(eta.begin(), eta.end(), shares.row(i),
                   [](double e) { return static_cast<float>(e); });
  }
}

void LocalizedMkl::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integer("kernels", kernels_);
  std::vector<double> gates, weights, biases;
  for (const Machine& machine : machines_) {
    gates.insert(gates.end(), machine.gating.values.begin(), machine.gating.values.end());
    weights.insert(weights.end(), machine.weights.begin(), machine.weights.end());
    biases.push_back(machine.bias);
  }
  state.doubles("gates", gates);
  state.doubles("weights", weights);
  state.doubles("biases", biases);
}

void LocalizedMkl::load(const StateReader& state, Context&) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
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
  classes_ = static_cast<std::size_t>(classes);
  kernels_ = kernels;
  machines_.clear();
  for (std::size_t c = 0; c < machines; ++c) {
    Machine machine{Gating(m, d), std::vector<double>(m * d), biases[c]};
    std::copy_n(gates.data() + c * m * (d + 1), m * (d + 1), machine.gating.values.data());
    std::copy_n(weights.data() + c * m * d, m * d, machine.weights.data());
    machines_.push_back(std::move(machine));
  }
}

}  // namespace semblance::ml3
