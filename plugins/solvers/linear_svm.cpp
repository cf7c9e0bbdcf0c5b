// SPDX-License-Identifier: MIT
#include "linear_svm.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "newton.hpp"
#include "training_checks.hpp"

namespace semblance::solvers {
namespace {

PreconditionerKind kind_of(const std::string& name) {
  if (name == "cholesky") return PreconditionerKind::cholesky;
  if (name == "diagonal") return PreconditionerKind::diagonal;
  return PreconditionerKind::automatic;
}

double share(double gap, double objective) { return objective > 0 ? gap / objective : 0; }

/// What the batches of problems add up to.
struct Summary {
  std::vector<NewtonOutcome> outcomes;
  std::vector<double> objectives;
  Certificate certificate = Certificate::converged;
  std::size_t iterations = 0;
  double sweeps = 0;

  void add(const NewtonResult& part) {
    const double before = objectives.empty() ? 0 : objectives.back();
    const std::size_t length = std::max(objectives.size(), part.objectives.size());
    const double first = part.objectives.empty() ? 0 : part.objectives.front();
    objectives.resize(length, before);
    for (std::size_t i = 0; i < length; ++i)
      objectives[i] += part.objectives.empty()
                           ? first
                           : part.objectives[std::min(i, part.objectives.size() - 1)];
    outcomes.insert(outcomes.end(), part.outcomes.begin(), part.outcomes.end());
    certificate = std::max(certificate, part.certificate);
    iterations = std::max(iterations, part.iterations);
    sweeps += part.sweeps;
  }
};

Table class_table(const Summary& summary, std::span<const std::string> classes) {
  Table table{"objectives",
              "class against the rest",
              "",
              {},
              {"objective", "lower bound", "relative gap", "relative gradient norm"},
              {}};
  const bool single = classes.size() == 2;  // its problem separates the second class
  for (std::size_t c = 0; c < summary.outcomes.size(); ++c) {
    const NewtonOutcome& o = summary.outcomes[c];
    table.rows.push_back(classes[single ? 1 : c]);
    for (const double value :
         {o.primal, o.dual, share(o.primal - o.dual, o.primal), o.gradient_norm})
      table.values.push_back(value);
  }
  return table;
}

void report_summary(const Summary& summary, std::span<const std::string> classes, Report& report) {
  double primal = 0, dual = 0, gradient = 0;
  for (const NewtonOutcome& o : summary.outcomes) {
    primal += o.primal;
    dual += o.dual;
    gradient = std::max(gradient, o.gradient_norm);
  }
  report.text("certificate", name(summary.certificate));
  report.number("objective", primal);
  report.number("duality_gap", share(primal - dual, primal));
  report.number("gradient_norm", gradient);
  report.integer("iterations", static_cast<std::int64_t>(summary.iterations));
  report.number("sweeps", summary.sweeps);
  Curve curve{"objective_by_iteration", "Newton iteration", "objective", {}, summary.objectives};
  for (std::size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(static_cast<double>(i));
  report.curve(curve);
  report.table(class_table(summary, classes));
}

}  // namespace

Declaration<LinearSvm> LinearSvm::declare() {
  return Declaration<LinearSvm>("solver/linear_svm",
                                "Linear SVM with squared hinge loss, one class against the rest")
      .documentation(
          "Minimises 1/2 |w|^2 + C sum max(0, 1 - y w.x)^2 for every class against the rest, all "
          "classes together: a Newton method with preconditioned conjugate gradients whose "
          "products for all classes take one sweep over the rows; a class that has spent more on "
          "them than an exact Hessian costs goes on with exact steps, which solve for columns of "
          "any scale. The objective is that of LIBLINEAR's -s 2 with the same C and bias. With two "
          "classes one problem is solved and the scores are (-f, f).\n\n"
          "It stops when a lower bound from a feasible dual point is within `tolerance` of the "
          "objective, for every class; or where five iterations gained less than that, the bound "
          "stays behind and an exact Hessian does not fit the memory or is not worth it "
          "(certificate 'iteration limit', and a warning). On a stop request it keeps its best "
          "model. Rows are float32, sums double; the result does not depend on the number of "
          "threads.")
      .reference(
          "Rastegari, Fang, Torresani: BE-SVM, eq. (6); Chapelle 2007; Keerthi and DeCoste "
          "2005; Fan et al. 2008 (LIBLINEAR)")
      .complexity(
          "a sweep: 4 rows x columns x classes operations; with the Cholesky preconditioner "
          "2/3 columns^3 operations and 8 columns^2 bytes besides; an exact step columns^3 / 3 "
          "operations, 8 columns^2 bytes a class and thread")
      .parameter("C", &LinearSvm::cost_, "weight of the losses against the regularizer", above(0))
      .parameter("bias", &LinearSvm::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0))
      .parameter("tolerance", &LinearSvm::tolerance_,
                 "stop when (objective - lower bound) / objective is below it", above(0), below(1))
      .parameter("max_iterations", &LinearSvm::max_iterations_, "most Newton iterations",
                 at_least(1))
      .parameter("preconditioner", &LinearSvm::preconditioner_,
                 "of the conjugate gradients; automatic: Cholesky where memory and cost allow it",
                 choices({"automatic", "cholesky", "diagonal"}));
}

Layout LinearSvm::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

void LinearSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  check_labels(training);
  check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  weights_.assign(problems() * padded(inputs_), 0);
  offsets_.assign(problems(), 0);

  const std::size_t dimension = inputs_ + (bias_ != 0 ? 1 : 0);
  const std::size_t batch =
      newton_batch(training.rows.rows(), dimension, problems(), context.memory_budget());
  const NewtonOptions options{tolerance_, static_cast<std::size_t>(max_iterations_),
                              kind_of(preconditioner_)};
  Summary summary;
  std::vector<std::string> settled;
  for (std::size_t first = 0; first < problems(); first += batch) {
    std::vector<std::int32_t> positives(std::min(batch, problems() - first));
    std::iota(positives.begin(), positives.end(),
              static_cast<std::int32_t>(classes_ == 2 ? 1 : first));
    SquaredHinge problem({training.rows, training.labels, positives, cost_, bias_}, context);
    const NewtonResult result = minimise(problem, options, context);
    for (std::size_t c = 0; c < positives.size(); ++c)
      keep(first + c, result.weights.row(c), dimension);
    summary.add(result);
    for (const std::size_t c : result.stalled)
      settled.push_back(training.classes[static_cast<std::size_t>(positives[c])]);
  }
  if (!settled.empty())
    context.log(
        LogLevel::warning,
        "the objective of class '" + settled.front() + "'" +
            (settled.size() > 1 ? " and " + std::to_string(settled.size() - 1) + " others" : "") +
            " settled before its lower bound proved it; columns of similar scale "
            "(normalizer/zscore) train faster and to a proven optimum");
  report_summary(summary, training.classes, report);
  report.integer("parameters", static_cast<std::int64_t>(problems() * dimension));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void LinearSvm::keep(std::size_t problem, const double* weights, std::size_t dimension) {
  std::copy_n(weights, inputs_,
              weights_.begin() + static_cast<std::ptrdiff_t>(problem * padded(inputs_)));
  offsets_[problem] = dimension > inputs_ ? bias_ * weights[inputs_] : 0;
}

void LinearSvm::apply(MatrixView in, MutableMatrixView out, Context&) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  if (in.cols != inputs_ || out.cols != classes_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not fit a model for " +
                std::to_string(inputs_));
  constexpr std::size_t step = 16;
  const float* rows[step];
  const std::size_t n = problems();
  std::vector<double> scratch(multiply_scratch(step, n)), z(step * n);
  for (std::size_t r = 0; r < in.rows; r += step) {
    const std::size_t count = std::min(step, in.rows - r);
    for (std::size_t i = 0; i < count; ++i) rows[i] = in.row(r + i);
    const TallBlock part{rows, count, in.cols};
    multiply(part, weights_.data(), padded(inputs_), n, scratch.data(), z.data());
    for (std::size_t i = 0; i < part.rows; ++i)
      for (std::size_t c = 0; c < n; ++c) {
        const double f = z[i * n + c] + offsets_[c];
        out.row(r + i)[classes_ == 2 ? 1 : c] = static_cast<float>(f);
        if (classes_ == 2) out.row(r + i)[0] = static_cast<float>(-f);
      }
  }
}

void LinearSvm::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  std::vector<double> plain;
  for (std::size_t c = 0; c < problems(); ++c)
    plain.insert(plain.end(), weights_.begin() + static_cast<std::ptrdiff_t>(c * padded(inputs_)),
                 weights_.begin() + static_cast<std::ptrdiff_t>(c * padded(inputs_) + inputs_));
  state.doubles("weights", plain);
  state.doubles("offsets", offsets_);
}

void LinearSvm::load(const StateReader& state, Context&) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  const std::vector<double> plain = state.doubles("weights");
  std::vector<double> offsets = state.doubles("offsets");
  if (inputs < 1 || classes < 2 ||
      offsets.size() != static_cast<std::size_t>(classes == 2 ? 1 : classes) ||
      plain.size() % offsets.size() != 0 ||
      plain.size() / offsets.size() != static_cast<std::size_t>(inputs))
    throw Error("the saved linear SVM has arrays of the wrong size; train it again");
  inputs_ = static_cast<std::size_t>(inputs);
  classes_ = static_cast<std::size_t>(classes);
  offsets_ = std::move(offsets);
  weights_.assign(problems() * padded(inputs_), 0);
  for (std::size_t c = 0; c < problems(); ++c)
    std::copy_n(plain.begin() + static_cast<std::ptrdiff_t>(c * inputs_), inputs_,
                weights_.begin() + static_cast<std::ptrdiff_t>(c * padded(inputs_)));
}

}  // namespace semblance::solvers
