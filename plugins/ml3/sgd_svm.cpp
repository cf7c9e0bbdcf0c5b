// SPDX-License-Identifier: MIT
#include "sgd_svm.hpp"

#include <chrono>

#include "memory_check.hpp"
#include "numerics/product.hpp"
#include "training_checks.hpp"

namespace semblance::ml3 {

Layout SgdSvm::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

void SgdSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  solvers::check_labels(training);
  solvers::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  const std::size_t rows = training.rows.rows();
  const Problem problem{training.rows.view(0, rows), training.labels, classes_, models(), bias_};
  check_memory(problem, static_cast<std::size_t>(batch_), context);
  Random random = context.random();
  learn_weights(problem.rows, random, context);

  FloatMatrix table(rows, models());
  const std::size_t blocks = block_count(rows);
  context.parallel_for(blocks, [&](std::size_t b) {
    for (std::size_t i = b * block_rows; i < std::min((b + 1) * block_rows, rows); ++i)
      weights(problem.rows.row_span(i), {table.values.data() + i * models(), models()});
  });
  const FixedOptions options{lambda_, static_cast<std::size_t>(epochs_),
                             static_cast<std::size_t>(batch_)};
  const Surroundings surroundings{
      [&](std::size_t count, const auto& body) { context.parallel_for(count, body); },
      [&] { return context.stop_requested() != StopReason::none; },
      [&](double share) { context.progress(share, 1); }};
  const FixedResult result = minimise_fixed(problem, table, options, random, surroundings);
  w_ = numerics::PackedRows(result.w.view());
  report_result(problem, result, report, context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void SgdSvm::report_result(const Problem& problem, const FixedResult& result, Report& report,
                           Context& context) const {
  // It stops after its epochs, never earlier for a reason of its own.
  Certificate certificate = Certificate::iteration_limit;
  if (result.stopped)
    certificate = context.stop_requested() == StopReason::deadline ? Certificate::deadline
                                                                   : Certificate::cancelled;
  report.text("certificate", name(certificate));
  const double norm = result.w.squared_norm();
  const auto mean_loss = [](const DescentOutcome& e) { return e.losses / double(e.steps); };
  if (result.evaluation) {
    report.number("objective", result.evaluation->objective(lambda_));
    report.number("train_error_rate",
                  double(result.evaluation->errors) / double(problem.rows.rows));
  } else {
    const double losses = result.epochs.empty() ? 1 : mean_loss(result.epochs.back());
    report.number("objective", lambda_ / 2 * norm + losses);
  }
  report.number("squared_norm", norm);
  report.integer("parameters", static_cast<std::int64_t>(problem.model_rows() * problem.inputs()));
  if (result.epochs.empty()) return;
  Curve loss{"running_loss_by_epoch", "epoch", "mean loss before each step", {}, {}};
  Curve errors{"running_error_by_epoch", "epoch", "share of errors before each step", {}, {}};
  for (std::size_t e = 0; e < result.epochs.size(); ++e) {
    loss.x.push_back(double(e + 1));
    loss.y.push_back(mean_loss(result.epochs[e]));
    errors.x.push_back(double(e + 1));
    errors.y.push_back(double(result.epochs[e].errors) / double(result.epochs[e].steps));
  }
  report.curve(loss);
  report.curve(errors);
}

void SgdSvm::apply(MatrixView in, MutableMatrixView out, Context&) const {
  if (w_.rows() == 0) throw Error("the solver has not been trained");
  if (in.cols != inputs_ || out.cols != classes_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not fit a model for " +
                std::to_string(inputs_));
  const double bias = w_.cols() > inputs_ ? bias_ : 0;
  const std::size_t m = models();
  constexpr std::size_t most = 240;  // rows that a product packs at once
  std::vector<float> beta(m);
  ModelMatrix x(std::min(most, in.rows), w_.cols()), z(std::min(most, in.rows), w_.rows());
  for (std::size_t first = 0; first < in.rows; first += most) {
    const std::size_t count = std::min(most, in.rows - first);
    for (std::size_t i = 0; i < count; ++i)
      copy_with_bias(in.row(first + i), in.cols, bias, x.row(i));
    numerics::multiply(x.view().rows_range(0, count), w_, z.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) {
      weights(in.row_span(first + i), beta);
      for (std::size_t y = 0; y < classes_; ++y)
        out.row(first + i)[y] = weighted_sum(beta, {z.row(i) + y * m, m});
    }
  }
}

void SgdSvm::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.number("bias", bias_);
  state.floats("models", w_.unpack().view());
}

void SgdSvm::load(const StateReader& state, Context&) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  const FloatMatrix saved = state.floats("models");
  bias_ = state.number("bias");
  if (inputs < 1 || classes < 2 || saved.rows != static_cast<std::size_t>(classes) * models() ||
      saved.cols != static_cast<std::size_t>(inputs) + (bias_ != 0 ? 1 : 0))
    throw Error("the saved model has an array of the wrong size; train it again");
  inputs_ = static_cast<std::size_t>(inputs);
  classes_ = static_cast<std::size_t>(classes);
  w_ = numerics::PackedRows(saved.view());
}

Declaration<LinearSvmSgd> LinearSvmSgd::declare() {
  Declaration<LinearSvmSgd> declaration(
      "solver/linear_svm_sgd", "Linear SVM with the multiclass hinge loss, by gradient descent");
  declare_descent(declaration);
  return declaration
      .documentation(
          "Pegasos on lambda / 2 |W|^2 + mean of max(0, 1 + max over y != y_i of W_y x_i - W_(y_i) "
          "x_i): steps 1 / (lambda (s + 1)) on samples in random order, the projection onto |W|^2 "
          "<= 2 / lambda, and the average of the last epoch's iterates. After a stop "
          "request the reported objective has the loss that the steps of the last epoch saw. The "
          "result does not depend on the number "
          "of threads.")
      .reference("Shalev-Shwartz, Singer, Srebro 2007; Crammer and Singer 2001")
      .complexity("2 rows columns classes operations an epoch")
      .random();
}

Declaration<LlSvm> LlSvm::declare() {
  Declaration<LlSvm> declaration("solver/llsvm",
                                 "Locally linear SVM: linear models weighted by the distances to "
                                 "centres");
  declaration
      .parameter("models", &LlSvm::models_, "linear models of each class, one a centre",
                 at_least(1), at_most(1e6))
      .parameter("neighbours", &LlSvm::neighbours_, "nearest centres that have a weight",
                 at_least(1));
  declare_descent(declaration);
  return declaration
      .documentation(
          "The score of a class is the sum of its models' products with a sample, weighted by the "
          "inverse distances to the sample's nearest `neighbours` of k-means centres, scaled to "
          "sum 1. The centres come from k-means++ and Lloyd's iterations on at most 100 random "
          "rows "
          "a centre. The models are trained like solver/linear_svm_sgd, with the multiclass hinge "
          "loss where the original trains one class against the rest.")
      .reference("Ladicky and Torr 2011; ML3, section 5")
      .complexity("2 rows columns classes models operations an epoch")
      .random();
}

void LlSvm::learn_weights(MatrixView rows, Random& random, Context& context) {
  distances_ = {k_means(rows, models(), Random(random.bits()),
                        [&] { return context.stop_requested() != StopReason::none; }),
                static_cast<std::size_t>(neighbours_)};
}

void LlSvm::save(StateWriter& state) const {
  SgdSvm::save(state);
  state.integer("neighbours", neighbours_);
  state.floats("centres", distances_.centres().view());
}

void LlSvm::load(const StateReader& state, Context& context) {
  FloatMatrix centres = state.floats("centres");
  neighbours_ = state.integer("neighbours");
  models_ = static_cast<std::int64_t>(centres.rows);
  if (neighbours_ < 1 || centres.rows == 0)
    throw Error("the saved model has an array of the wrong size; train it again");
  SgdSvm::load(state, context);
  if (centres.cols != inputs_)
    throw Error("the saved model has an array of the wrong size; train it again");
  distances_ = {std::move(centres), static_cast<std::size_t>(neighbours_)};
}

}  // namespace semblance::ml3
