// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "latent/cccp.hpp"
#include "row_products.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "training_checks.hpp"
#include "training_report.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/ml3`: multiclass latent locally linear SVM.
class Ml3 final : public Solver, public ClassWeights {
 public:
  static Declaration<Ml3> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return static_cast<std::size_t>(models_); }
  /// A model's share is its weight beta of eq. (14), scaled to sum 1.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  CccpOptions options(double lambda, std::size_t before) const;
  CccpResult minimise_along_path(const Problem& problem, std::vector<PathPoint>& path,
                                 Context& context) const;
  std::vector<double> lambdas() const;
  Problem problem(const TrainingSet& training, std::span<const double> weights,
                  Context& context) const;

  double p_ = 1.5;
  std::int64_t models_ = 10;
  double lambda_ = 1e-5;
  std::vector<double> path_;
  std::int64_t iterations_ = 30;
  std::int64_t epochs_ = 1;
  std::int64_t batch_ = 64;
  double bias_ = 1;
  bool center_ = true;
  std::string start_ = "one_model";
  bool trace_ = false;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  Centre centre_;
  numerics::PackedRows w_;  // classes * models rows, the bias's weight last
};

Declaration<Ml3> Ml3::declare() {
  Declaration<Ml3> declaration(
      "solver/ml3",
      "Multiclass latent locally linear SVM: each class is a soft choice of linear models");
  declaration
      .documentation(
          "The score of a class is the largest beta . W_y x over the non-negative beta of p-norm "
          "at most 1: the q-norm, q = p / (p - 1), of the positive part of the products with the "
          "class's linear models. Trained with the concave-convex procedure (Algorithm 1): first "
          "with random weights, then `iterations` times with the weights that the last model gives "
          "each sample's own class, each time by `epochs` epochs of stochastic gradient descent "
          "(Algorithm 2, samples in random order), with s0 = 2n growing by 2n per iteration, the "
          "projection onto |W|^2 <= 2n / lambda, and averaging in the last iteration.\n\n"
          "lambda is that of Algorithm 2's step 1 / (lambda (s + s0)), which descends on lambda / "
          "2 |W|^2 + the mean loss; eq. (9a) sums the losses, so its lambda is n times this one. "
          "The reported objective uses the mean. Rows should be normalized (z-scores for "
          "measurements, mean norm for images), since lambda depends on their spread; the columns' "
          "means are subtracted from them.\n\n"
          "The products of a `batch` of samples are computed together and corrected for the "
          "updates between them: the iterates are those of batch 1 up to rounding. `all_negative` "
          "counts training samples for which no model of their own class is positive; their "
          "weights are zero, so nothing pulls them back. The running curves hold what the steps "
          "saw of each sample before they learned from it; with `trace` the model is also "
          "evaluated on all samples after each iteration. `path` trains with larger lambdas first, "
          "each starting from the models of the previous one (a warm start: no random weights, and "
          "steps keep shrinking), and the report has curves over all of them. A stop request keeps "
          "the current model; the reported objective is then the running one. Rows and sums of "
          "products are float32; the result does not depend on the number of threads.")
      .reference("Fornoni, Caputo, Orabona: Multiclass Latent Locally Linear SVMs, ACML 2013")
      .complexity(
          "2 values classes models operations per epoch, where those do not count that most rows "
          "have in their column; memory: 4 bytes x (5 columns classes + rows) x models and, where "
          "there is room, 8 bytes for each value that counts")
      .random()
      .takes_weights()
      .parameter("p", &Ml3::p_,
                 "norm of the weights: 1 uses only the best model, larger values mix more",
                 at_least(1), at_most(1e6))
      .parameter("models", &Ml3::models_, "linear models per class", at_least(1), at_most(1e6))
      .parameter("lambda", &Ml3::lambda_,
                 "weight of the regularizer against the mean loss: the smaller, the closer the fit "
                 "to the training rows",
                 above(0))
      .parameter("path", &Ml3::path_,
                 "larger lambdas to train with before lambda, decreasing, each starting from the "
                 "models of the previous one",
                 above(0))
      .parameter("start", &Ml3::start_,
                 "initial random weights: one_model assigns each sample to one model of a class; "
                 "mixture to all, with exponentially distributed weights",
                 choices({"one_model", "mixture"}))
      .parameter("iterations", &Ml3::iterations_,
                 "number of iterations of the concave-convex procedure", at_least(1))
      .parameter("epochs", &Ml3::epochs_, "number of descent epochs in each iteration", at_least(1))
      .parameter("batch", &Ml3::batch_, "number of samples whose products are computed together",
                 at_least(1), at_most(1024))
      .parameter("bias", &Ml3::bias_, "constant appended to every row; 0: none", at_least(0))
      .parameter("center", &Ml3::center_,
                 "train about the columns' means; false: as the paper prints it")
      .parameter("trace", &Ml3::trace_,
                 "evaluate the model after every iteration, at about the cost of an epoch");
  return with_class_weights(declaration).reports(cccp_figures()).example(R"(
        points: {is: source/xor}
        ml3:    {is: solver/ml3, models: 4, p: 1.5, lambda: 1e-4, from: points}
        test:   {is: evaluator/classification, from: ml3}
        models: {is: evaluator/assignments, from: ml3})");
}

void Ml3::check_parameters() const {
  check_class_weights();
  const std::vector<double> all = lambdas();
  if (std::adjacent_find(all.begin(), all.end(), std::less_equal<>()) != all.end())
    throw Error("'path' must decrease, and end above lambda");
}

Layout Ml3::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

Problem Ml3::problem(const TrainingSet& training, std::span<const double> weights,
                     Context& context) const {
  return {{training.rows, context, center_, weights}, training.labels, training.classes.size(),
          static_cast<std::size_t>(models_),          bias_,           weights};
}

CccpOptions Ml3::options(double lambda, std::size_t before) const {
  return {lambda,
          static_cast<std::size_t>(iterations_),
          static_cast<std::size_t>(epochs_),
          static_cast<std::size_t>(batch_),
          trace_,
          start_ == "mixture" ? RandomWeights::mixture : RandomWeights::one_model,
          before};
}

std::vector<double> Ml3::lambdas() const {
  std::vector<double> all = path_;
  all.push_back(lambda_);
  return all;
}

CccpResult Ml3::minimise_along_path(const Problem& problem, std::vector<PathPoint>& path,
                                    Context& context) const {
  const PowerBall ball(p_);
  const std::vector<double> all = lambdas();
  CccpResult result;
  while (path.size() < all.size() && !result.stopped) {
    const double lambda = all[path.size()];
    const Surroundings surroundings{
        context,
        [&](double share) { context.progress(double(path.size()) + share, double(all.size())); }};
    result = minimise(problem, ball,
                      options(lambda, path.size() * static_cast<std::size_t>(iterations_)),
                      context.random(), surroundings, std::move(result.w));
    path.push_back(path_point(result, lambda, problem.rows.rows));
  }
  return result;
}

void Ml3::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  const std::vector<double> weights = mean_one(row_weights(training));
  Problem problem = this->problem(training, weights, context);
  const double left =
      check_memory(problem, static_cast<std::size_t>(batch_), problem.models, context);
  problem.listed = ListedRows::make(problem, left, context);

  std::vector<PathPoint> path;
  const CccpResult result = minimise_along_path(problem, path, context);
  w_ = numerics::PackedRows(result.w.view());
  centre_ = std::move(problem.rows.centre);

  // It has no other stopping rule than the number of iterations.
  const Certificate certificate =
      result.stopped ? stop_certificate(context) : Certificate::passes_made;
  report.text("certificate", name(certificate));
  report_result(result, path.back().lambda, problem.rows.rows, report);
  if (path.size() > 1) report_path(path, report);
  if (result.evaluation && result.evaluation->all_negative > 0)
    context.log(LogLevel::info, std::to_string(result.evaluation->all_negative) +
                                    " training samples have no positive model of their class");
  report.integer("parameters", static_cast<std::int64_t>(problem.model_rows() * problem.inputs()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void Ml3::apply(MatrixView in, MutableMatrixView out, Context&) const {
  common::check_scores(out, classes_);
  const PowerBall ball(p_);
  for_each_product(in, centre_, bias_, w_, [&](std::size_t i, std::span<const float> z) {
    const std::size_t m = z.size() / classes_;
    for (std::size_t y = 0; y < classes_; ++y) out.row(i)[y] = ball.score(z.subspan(y * m, m));
  });
}

void Ml3::assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
                 Context&) const {
  const PowerBall ball(p_);
  for_each_product(in, centre_, bias_, w_, [&](std::size_t i, std::span<const float> z) {
    const std::size_t m = local_models();
    ball.weights(z.subspan(static_cast<std::size_t>(classes[i]) * m, m), shares.row_span(i));
    scale_to_shares(shares.row_span(i));
  });
}

void Ml3::save(StateWriter& state) const {
  common::save_inputs(state, inputs_, centre_);
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.number("p", p_);
  state.number("bias", bias_);
  state.floats("models", w_.unpack().view());
}

void Ml3::load(const StateReader& state, Context&) {
  auto [inputs, centre] = common::load_inputs(state);
  const std::int64_t classes = state.integer("classes");
  const FloatMatrix models = state.floats("models");
  p_ = state.number("p");
  bias_ = state.number("bias");
  if (inputs < 1 || classes < 2 || models.rows == 0 ||
      models.rows % static_cast<std::size_t>(classes) != 0 ||
      models.cols != static_cast<std::size_t>(inputs) + (bias_ != 0 ? 1 : 0))
    throw Error("the saved ML3 model has an array of the wrong size; train it again");
  PowerBall checked(p_);
  inputs_ = static_cast<std::size_t>(inputs);
  centre_ = std::move(centre);
  classes_ = static_cast<std::size_t>(classes);
  models_ = static_cast<std::int64_t>(models.rows) / classes;
  w_ = numerics::PackedRows(models.view());
}

}  // namespace

ComponentEntry declare_ml3() { return Ml3::declare().entry(); }

}  // namespace semblance::ml3
