// SPDX-License-Identifier: MIT
#include <linear.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "imported_nodes.hpp"
#include "inner_context.hpp"
#include "library_output.hpp"
#include "library_weights.hpp"
#include "linear_objective.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/solver.hpp"
#include "semblance/support_vectors.hpp"
#include "solver_figures.hpp"
#include "sparse_nodes.hpp"
#include "training_checks.hpp"
#include "used_columns.hpp"

namespace semblance::libraries {
namespace {

/// `solver/liblinear`: the LIBLINEAR library, as a baseline.
class LibLinear final : public Solver,
                        public ClassWeights,
                        public Exportable,
                        public LinearWeights,
                        public TakesLiblinearMachine {
 public:
  static Declaration<LibLinear> declare();

  void check_parameters() const override { check_class_weights(); }
  /// The library weights one class of a problem against all others, which differs from weighting
  /// samples if there are several others.
  void check_classes(std::span<const std::string> classes) const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  LiblinearMachine linear_machine() const override;
  std::string nodes(const LiblinearMachine& machine) const override;
  void take(const LiblinearMachine& machine) override;

 private:
  std::string solver_ = "l2r_l2loss_svc";
  double cost_ = 1;
  double eps_ = 0;
  double bias_ = 1;

  std::size_t length() const noexcept { return columns_.size() + 1; }

  numerics::OccurringColumns columns_;
  std::size_t classes_ = 0;
  std::vector<double> weights_;  // vectors x length(): of these columns, the bias weight last; one
                                 // vector per class, or only one for the second of two classes
};

struct DestroyLiblinearModel {
  void operator()(model* m) const { free_and_destroy_model(&m); }
};

std::mutex library_mutex;
std::string library_text;
void keep_text(const char* text) { library_text += text; }

/// Trains with the library. Its print function and random numbers are global: one training at a
/// time. Throws Error with the library's complaint about a parameter.
std::unique_ptr<model, DestroyLiblinearModel> run_liblinear(const problem& data,
                                                            const parameter& settings,
                                                            unsigned seed, LibraryOutput& output) {
  if (const char* complaint = check_parameter(&data, &settings)) throw Error(complaint);
  const std::lock_guard lock(library_mutex);
  library_text.clear();
  set_print_string_function(keep_text);
  std::srand(seed);
  std::unique_ptr<model, DestroyLiblinearModel> trained(::train(&data, &settings));
  output.text = std::move(library_text);
  return trained;
}

/// Its dual solvers stop by violations. If less than half of the objective is proved then, this
/// proves nothing.
constexpr double largest_gap = 0.5;

/// Whether the library has warned, or made as many iterations as trust region Newton, which stops
/// silently then.
bool reached_limit(const LibraryOutput& output) {
  constexpr double newton_limit = 1000;
  return output.contains("WARNING") || output.sum_after("iter ").largest >= newton_limit;
}

struct SolverChoice {
  const char* name;
  int type;
  double eps;  // LIBLINEAR's default
  LinearLoss loss;
  bool l1;
  bool dual;  // prints its dual objective
};

constexpr SolverChoice choices_known[] = {
    {"l2r_l2loss_svc", L2R_L2LOSS_SVC, 0.01, LinearLoss::squared_hinge, false, false},
    {"l2r_l2loss_svc_dual", L2R_L2LOSS_SVC_DUAL, 0.1, LinearLoss::squared_hinge, false, true},
    {"l2r_l1loss_svc_dual", L2R_L1LOSS_SVC_DUAL, 0.1, LinearLoss::hinge, false, true},
    {"mcsvm_cs", MCSVM_CS, 0.1, LinearLoss::crammer_singer, false, true},
    {"l1r_l2loss_svc", L1R_L2LOSS_SVC, 0.01, LinearLoss::squared_hinge, true, false},
    {"l2r_lr", L2R_LR, 0.01, LinearLoss::logistic, false, false},
    {"l2r_lr_dual", L2R_LR_DUAL, 0.1, LinearLoss::logistic, false, true},
    {"l1r_lr", L1R_LR, 0.01, LinearLoss::logistic, true, false}};

const SolverChoice& choice_named(const std::string& name) {
  for (const SolverChoice& choice : choices_known)
    if (name == choice.name) return choice;
  throw Error("'solver' does not name a LIBLINEAR solver: '" + name + "'");
}

std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  for (const SolverChoice& choice : choices_known) names.emplace_back(choice.name);
  return names;
}

/// Converts the library's weights (feature by feature, classes in the order of occurrence) to one
/// vector per class; for two classes, to the vector of the second.
std::vector<double> ordered_weights(const model& trained, std::size_t inputs, std::size_t classes,
                                    bool bias) {
  const std::size_t stored = classes == 2 && trained.param.solver_type != MCSVM_CS ? 1 : classes;
  const std::size_t vectors = stored == 1 ? 1 : classes, length = inputs + 1;
  std::vector<double> weights(vectors * length);
  for (std::size_t s = 0; s < stored; ++s) {
    const std::size_t c = stored == 1 ? 0 : static_cast<std::size_t>(trained.label[s]);
    const double sign = stored == 1 && trained.label[0] == 0 ? -1 : 1;
    for (std::size_t j = 0; j < inputs + (bias ? 1 : 0); ++j)
      weights[c * length + j] = sign * trained.w[j * stored + s];
  }
  return weights;
}

/// Products of squares beyond it overflow, and the library then never ends.
constexpr double largest = 1e100;

Declaration<LibLinear> LibLinear::declare() {
  Declaration<LibLinear> declaration("solver/liblinear", "LIBLINEAR, as a baseline");
  declaration
      .documentation(
          "Linear machines of the LIBLINEAR library, one class against the rest (mcsvm_cs: all "
          "classes at once). The objective is computed from the weights; if the library stops at "
          "its iteration limit or warns, the certificate says 'iteration limit'. duality_gap is "
          "reported for the dual solvers, gradient_norm (relative to w = 0) for the others. The "
          "library cannot be interrupted: a stop request is seen only before and after training. "
          "Only one training runs at a time, because its random numbers are global.\n"
          "\n"
          "Class weights are the library's -w. It applies them to one class of each problem and "
          "never to the rest, so with three or more classes they are refused, except by mcsvm_cs. "
          "It takes no sample weights; solver/linear_svm takes both.")
      .reference("Fan, Chang, Hsieh, Wang, Lin: LIBLINEAR, JMLR 9, 2008")
      .complexity("16 bytes per non-zero value in addition to the rows themselves")
      .random()
      .accepts_sparse()
      .parameter("solver", &LibLinear::solver_, "the library's solver", choices(choice_names()))
      .parameter("C", &LibLinear::cost_,
                 "weight of the losses against the regularizer: the larger, the closer the fit to "
                 "the training rows",
                 above(0), at_most(largest))
      .parameter("eps", &LibLinear::eps_,
                 "the library's stopping tolerance; 0: its default (0.01, dual solvers 0.1)",
                 at_least(0))
      .parameter("bias", &LibLinear::bias_,
                 "constant appended to every row, so that the bias is regularized; 0: no bias",
                 at_least(0), at_most(largest));
  return with_class_weights(declaration)
      .reports(common::solver_figures(
          {"objective", "duality_gap", "gradient_norm", "parameters", "train_seconds"}))
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        svm:    {is: solver/liblinear, C: 1, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

void LibLinear::check_classes(std::span<const std::string> classes) const {
  ClassWeights::check_classes(classes);
  if (weights_classes() && classes.size() > 2 && solver_ != "mcsvm_cs")
    throw Error("with " + std::to_string(classes.size()) +
                " classes LIBLINEAR weights the rows of one class in each problem, and not those "
                "of the rest: 'class_weights' and 'balanced' would not mean what they mean for "
                "other solvers; use solver/linear_svm, or 'solver: mcsvm_cs'");
}

Layout LibLinear::bind(const Layout& input) {
  columns_ = numerics::OccurringColumns(input.size());
  if (input.size() == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

void LibLinear::train(const TrainingSet& given, Report& report, Context& outer) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(given);
  common::check_finite(given.rows, outer);
  outer.check_stop();
  const common::UsedColumns used(given, outer);
  common::WithMemory context(outer, common::left_of(outer.memory_budget(), used.bytes()));
  const TrainingSet& training = used.training();
  const SolverChoice& choice = choice_named(solver_);
  const std::size_t rows = training.rows.rows();
  const std::size_t inputs = training.rows.cols();
  columns_ = used.columns();
  classes_ = training.classes.size();

  // The library copies the row pointers and has one or two weights or dual variables per class; its
  // Newton methods have ten vectors of one class.
  const std::size_t more =
      rows * (sizeof(void*) + 4 * sizeof(double)) +
      ((rows + inputs) * classes_ * 2 + inputs * (10 + 2 * classes_)) * sizeof(double);
  SparseNodes<feature_node> nodes(training.rows, bias_, more, "LIBLINEAR", context);
  std::vector<double> labels(training.labels.begin(), training.labels.end());
  const problem data{static_cast<int>(rows), static_cast<int>(inputs + (bias_ > 0 ? 1 : 0)),
                     labels.data(), nodes.rows(), bias_ > 0 ? bias_ : -1};
  LibraryWeights weights(class_factors(training));
  const parameter settings{choice.type,
                           eps_ > 0 ? eps_ : choice.eps,
                           cost_,
                           weights.count(),
                           weights.labels(),
                           weights.factors(),
                           0.1,
                           nullptr};
  LibraryOutput output;
  const auto trained =
      run_liblinear(data, settings, static_cast<unsigned>(context.random().bits()), output);
  output.log_to(context);
  weights_ = ordered_weights(*trained, inputs, classes_, bias_ > 0);

  const std::size_t vectors = weights_.size() / length();
  const LinearObjective objective =
      linear_objective(training.rows, training.labels, {weights_, vectors, bias_}, choice.loss,
                       choice.l1, cost_, row_weights(training));
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(weights_.begin(), weights_.end(), finite) || !finite(objective.value))
    throw Error("LIBLINEAR's objective is not finite; lower C, or scale the samples");
  // Printed as a minimisation problem.
  const double gap =
      (objective.value + output.sum_after("Objective value = ").total) / objective.value;
  // The library's loops also end if numbers overflow.
  const bool plausible = choice.dual ? std::abs(gap) < largest_gap : objective.gradient_norm < 1;
  if (!plausible)
    report.text("remedy",
                "LIBLINEAR ended without evidence of being near an optimum; lower C, or scale the "
                "samples");
  report.text("certificate",
              name(plausible && !reached_limit(output) ? Certificate::converged
                                                       : Certificate::iteration_limit));
  report.number("objective", objective.value);
  if (choice.dual)
    report.number("duality_gap", gap);
  else
    report.number("gradient_norm", objective.gradient_norm);
  report.integer("parameters", static_cast<std::int64_t>(vectors * (inputs + (bias_ > 0 ? 1 : 0))));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void LibLinear::apply(MatrixView in, MutableMatrixView out, Context&) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  if (in.cols != columns_.width() || out.cols != classes_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(columns_.width()));
  const std::size_t vectors = weights_.size() / length();
  const FloatMatrix some = columns_.are_all() ? FloatMatrix() : columns_.at_places(in);
  const MatrixView rows = columns_.are_all() ? in : some.view();
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t c = 0; c < vectors; ++c) {
      const double f = decision_value(rows, i, weights_.data() + c * length(), bias_);
      out.row(i)[vectors == 1 ? 1 : c] = static_cast<float>(f);
      if (vectors == 1) out.row(i)[0] = static_cast<float>(-f);
    }
}

void LibLinear::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(columns_.width()));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.number("bias", bias_);
  columns_.save(state);
  state.doubles("weights", weights_);
}

void LibLinear::load(const StateReader& state, Context&) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  std::vector<double> weights = state.doubles("weights");
  const auto wrong = [] {
    return Error("the saved LIBLINEAR model has arrays of the wrong size; train it again");
  };
  if (inputs < 1 || classes < 2) throw wrong();
  auto columns = numerics::OccurringColumns::load(state, static_cast<std::size_t>(inputs));
  const std::size_t length = columns.size() + 1;
  if (weights.size() % length != 0 ||
      (weights.size() / length != static_cast<std::size_t>(classes) &&
       !(classes == 2 && weights.size() == length)))
    throw wrong();
  columns_ = std::move(columns);
  classes_ = static_cast<std::size_t>(classes);
  bias_ = state.number("bias");
  weights_ = std::move(weights);
}

Formula::Value LibLinear::write(Formula& formula, Formula::Value in) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  const std::size_t vectors = weights_.size() / length();
  const std::vector<std::size_t> columns = formula.columns(in);
  std::vector<double> matrix, offsets;
  for (std::size_t c = 0; c < vectors; ++c) {
    const auto own = std::span<const double>(weights_).subspan(c * length(), length());
    const std::vector<double> chosen = columns_.values_at(columns, own, 0.0);
    matrix.insert(matrix.end(), chosen.begin(), chosen.end());
    offsets.push_back(own.back() * bias_);
  }
  const auto products = formula.products(formula.widen(in), matrix);
  const auto constants = formula.constant(std::span<const double>(offsets));
  const auto scores = formula.narrow(formula.add(products, constants));
  if (vectors > 1) return scores;
  return formula.concatenate(
      std::vector<Formula::Value>{formula.multiply(scores, formula.number(-1, scores)), scores});
}

LiblinearMachine LibLinear::linear_machine() const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  LiblinearMachine machine;
  machine.solver = choice_named(solver_).name;
  std::ranges::transform(machine.solver, machine.solver.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  machine.inputs = columns_.width();
  machine.classes = classes_;
  machine.bias = bias_;
  for (std::size_t c = 0; c < weights_.size() / length(); ++c) {
    const auto own = std::span<const double>(weights_).subspan(c * length(), length());
    const std::vector<double> all = columns_.spread(own, 0.0);
    machine.weights.insert(machine.weights.end(), all.begin(), all.end());
    machine.weights.push_back(own.back());
  }
  return machine;
}

std::string LibLinear::nodes(const LiblinearMachine& machine) const {
  std::string name = machine.solver;
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return imported_nodes(machine.inputs, "solver/liblinear, solver: " + name +
                                            ", bias: " + to_text(Value(machine.bias)));
}

void LibLinear::take(const LiblinearMachine& machine) {
  if (machine.inputs != columns_.width())
    throw Error("the machine is for rows of " + std::to_string(machine.inputs) +
                " values, and these have " + std::to_string(columns_.width()));
  columns_ = numerics::OccurringColumns(machine.inputs);
  classes_ = machine.classes;
  bias_ = machine.bias;
  weights_ = machine.weights;
}

}  // namespace

ComponentEntry declare_liblinear() { return LibLinear::declare().entry(); }

}  // namespace semblance::libraries
