// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "greedy/greedy.hpp"
#include "greedy/input_trials.hpp"
#include "semblance/declaration.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/report.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

/// Passes on everything except times, which the outer solver reports.
class PassingReport final : public Report {
 public:
  explicit PassingReport(Report& outer) : outer_(outer) {}
  void number(std::string_view name, double value) override {
    if (name != "train_seconds") outer_.number(name, value);
  }
  void integer(std::string_view name, std::int64_t value) override { outer_.integer(name, value); }
  void text(std::string_view name, std::string_view value) override {
    if (name == "certificate")
      certificate = value;
    else
      outer_.text(name, value);
  }
  void curve(const Curve& curve) override { outer_.curve(curve); }
  void table(const Table& table) override { outer_.table(table); }
  void plane_map(const PlaneMap& map) override { outer_.plane_map(map); }
  void sample_list(const SampleList& list) override { outer_.sample_list(list); }
  void draw(const Drawing& drawing) override { outer_.draw(drawing); }
  void explained_samples(const ExplainedSamples& samples) override {
    outer_.explained_samples(samples);
  }

  std::string certificate;  ///< not passed on

 private:
  Report& outer_;
};

/// `solver/greedy_selection`: adds the inputs that contribute most, one by one, and trains another
/// solver on them.
class GreedySelection final : public Solver {
 public:
  static Declaration<GreedySelection> declare();

  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  GreedyChoice choose(const TrainingSet& training, Report& report, Context& context) const;
  void train_chosen(const TrainingSet& training, Report& report, Context& context);
  bool takes_all() const { return chosen_.size() == widths_.size(); }
  ColumnBlocks columns() const;

  Maker<Solver> make_;
  std::int64_t folds_ = 5;
  std::string folds_by_ = "auto";
  std::int64_t most_ = 0;
  double least_gain_ = 0;

  Layout layout_;  ///< of the input rows
  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::size_t> widths_;  ///< of all inputs
  std::vector<std::size_t> chosen_;  ///< inputs, in the order of their choice
  std::unique_ptr<Solver> solver_;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<std::size_t> widths_of(const TrainingSet& training) {
  if (training.widths.empty()) return {training.rows.cols()};
  return {training.widths.begin(), training.widths.end()};
}

std::vector<std::string> names_of(const TrainingSet& training, std::size_t inputs) {
  if (training.inputs.size() == inputs) return {training.inputs.begin(), training.inputs.end()};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs; ++i) names.push_back("input " + std::to_string(i + 1));
  return names;
}

/// The accuracy of always answering the most frequent class.
double share_of_largest_class(const TrainingSet& training) {
  std::vector<std::size_t> counts(training.classes.size());
  for (const std::int32_t label : training.labels) ++counts[static_cast<std::size_t>(label)];
  return static_cast<double>(*std::ranges::max_element(counts)) /
         static_cast<double>(training.labels.size());
}

void report_choice(const GreedyChoice& choice, const std::vector<std::string>& names,
                   Report& report) {
  Table steps{"selection", "input", "", {}, {"accuracy", "gain"}, {}};
  Curve curve{"accuracy_by_step", "inputs chosen", "accuracy", {}, {}};
  std::string order;
  for (const GreedyStep& step : choice.steps) {
    order += (order.empty() ? "" : ", ") + names[step.chosen];
    steps.rows.push_back(names[step.chosen]);
    steps.values.insert(steps.values.end(), {step.value, step.gain});
    curve.x.push_back(static_cast<double>(curve.x.size() + 1));
    curve.y.push_back(step.value);
  }
  Table tried{"candidates", "input", "", names, {}, {}};
  for (std::size_t s = 0; s < choice.tried.size(); ++s)
    tried.columns.push_back("step " + std::to_string(s + 1));
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const auto& values : choice.tried) tried.values.push_back(values[i]);
  report.text("order", order);
  if (!choice.steps.empty()) report.number("cross_validated_accuracy", choice.steps.back().value);
  report.table(steps);
  report.table(tried);
  report.curve(curve);
}

Declaration<GreedySelection> GreedySelection::declare() {
  return Declaration<GreedySelection>("solver/greedy_selection",
                                      "Adds the most useful inputs, one by one")
      .documentation(
          "For several inputs, `from: [phi1, phi2]`, such as the maps of different similarities, "
          "each with its own normalizer. Starting with none, it tries adding each of the remaining "
          "inputs, adds the one with the best accuracy (the first on ties), and continues until "
          "all or `most` are chosen or the best gain is below `least_gain`. Accuracies come from "
          "stratified cross-validation of `solver` on the training rows; the folds are drawn once, "
          "so all candidates use the same. Finally `solver` is trained on all training rows of the "
          "chosen inputs, and gives the scores.\n\nThe inputs themselves (normalizers, bases) have "
          "been fitted on all training rows, so the cross-validated accuracies serve to choose, "
          "not to estimate how well the result generalizes. `solver` learns with the weights that "
          "rows have; an accuracy counts every row once.\n\n"
          "Reports the order as text, the table `selection` (accuracy after each step, and its "
          "gain; the first gain is over always answering the most frequent class), the table "
          "`candidates` (all accuracies tried, including those of a rejected last step), the curve "
          "of accuracies, cross_validated_accuracy, chosen_inputs, trainings, "
          "unconverged_trainings, selection_seconds, and what `solver` reports about its last "
          "training. On a stop request the current step does not count; before the end of the "
          "first step all inputs are used.")
      .reference("BE-SVM, section 3.5: the sets M1 and M2")
      .complexity(
          "inputs x steps x folds trainings; a copy of a fold's chosen columns for each concurrent "
          "training")
      .random()
      .takes_weights()
      .parameter("solver", &GreedySelection::make_, "solver to train on the chosen inputs",
                 default_component("solver/linear_svm"))
      .parameter("folds", &GreedySelection::folds_, "number of folds of the cross-validation",
                 at_least(2), at_most(1000))
      .parameter("folds_by", &GreedySelection::folds_by_,
                 "what stays together in these folds: the rows of a group ('groups' of the "
                 "source), or single rows; auto: groups if the source has some",
                 choices({"auto", "group", "row"}))
      .parameter("most", &GreedySelection::most_, "maximum number of inputs to choose; 0: all",
                 at_least(0))
      .parameter("least_gain", &GreedySelection::least_gain_,
                 "stop when the best input adds less than this to the accuracy", at_least(-1),
                 at_most(1))
      .reports(common::solver_figures({"train_seconds"}))
      .reports({"cross_validated_accuracy", "cross-validated accuracy of the chosen inputs",
                FigureUnit::share, Better::higher})
      .reports({"chosen_inputs", "number of chosen inputs", FigureUnit::count})
      .reports({"trainings", "number of trainings for cross-validation", FigureUnit::count,
                Better::lower})
      .reports({"unconverged_trainings", "how many of these ended before they converged",
                FigureUnit::count, Better::lower})
      .reports({"selection_seconds", "time taken by cross-validation", FigureUnit::seconds,
                Better::lower})
      .reports({"selection.accuracy", "cross-validated, after the step", FigureUnit::share,
                Better::higher})
      .reports({"accuracy_by_step.accuracy", "cross-validated", FigureUnit::share, Better::higher})
      .reports({"candidates.step *", "cross-validated accuracy", FigureUnit::share, Better::higher})
      .example(R"(
        points: {is: source/xor, squares: 4}
        bases:  {is: basis/random, count: 40, from: points}
        wide:   {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        middle: {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        narrow: {is: similarity/rbf, gamma: 100, from: points, bases: bases}
        chosen: {is: solver/greedy_selection, solver: {is: solver/linear_svm}, folds: 3, most: 2, from: [wide, middle, narrow]}
        test:   {is: evaluator/classification, from: chosen})");
}

Layout GreedySelection::bind(const Layout& input) {
  layout_ = input;
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

GreedyChoice GreedySelection::choose(const TrainingSet& training, Report& report,
                                     Context& context) const {
  const auto names = names_of(training, widths_.size());
  const auto most = most_ == 0 ? widths_.size() : static_cast<std::size_t>(most_);
  if (widths_.size() == 1)
    context.log(LogLevel::warning,
                "there is only one input, so there is nothing to choose; list several nodes in "
                "`from` (a normalizer of several nodes is one input: give each its own)");
  InputTrials trials(training, widths_, make_, static_cast<std::size_t>(folds_),
                     folds_by_ == "row" ? std::span<const std::int32_t>() : training.groups,
                     context);
  std::size_t step = 0;
  const auto choice = choose_greedily(
      widths_.size(), most, least_gain_, share_of_largest_class(training),
      [&](std::span<const std::size_t> chosen, std::span<const std::size_t> candidates) {
        context.progress(static_cast<double>(step++), static_cast<double>(most + 1));
        return trials.accuracies(chosen, candidates);
      });
  report_choice(choice, names, report);
  report.integer("trainings", static_cast<std::int64_t>(trials.trainings()));
  report.integer("unconverged_trainings", static_cast<std::int64_t>(trials.unconverged()));
  return choice;
}

void GreedySelection::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = Clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  widths_ = widths_of(training);
  if (std::accumulate(widths_.begin(), widths_.end(), std::size_t{0}) != inputs_)
    throw Error("the inputs' columns do not add up to the " + std::to_string(inputs_) +
                " of the training rows");
  const GreedyChoice choice = choose(training, report, context);
  chosen_.clear();
  for (const GreedyStep& step : choice.steps) chosen_.push_back(step.chosen);
  if (chosen_.empty()) {
    chosen_.resize(widths_.size());
    std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
  }
  report.integer("chosen_inputs", static_cast<std::int64_t>(chosen_.size()));
  report.number("selection_seconds", seconds_since(begin));

  PassingReport passing(report);
  train_chosen(training, passing, context);
  const bool stopped = !choice.complete && context.stop_requested() != StopReason::none;
  report.text("certificate", stopped ? name(stop_certificate(context)) : passing.certificate);
  report.number("train_seconds", seconds_since(begin));
}

void GreedySelection::train_chosen(const TrainingSet& training, Report& report, Context& context) {
  solver_ = make_();
  if (takes_all()) {
    solver_->bind(training.layout);
    solver_->train(training, report, context);
    return;
  }
  const ColumnBlocks chosen = columns();
  const std::size_t copy = PickedRows::bytes(training.rows.rows(), chosen.width());
  const std::size_t budget = context.memory_budget();
  if (copy > budget)
    throw MemoryError("the training rows of the chosen inputs take " +
                      std::to_string((copy >> 20) + 1) + " MiB, but " +
                      std::to_string(budget >> 20) + " MiB are free; raise --memory or lower most");
  const PickedRows rows(training.rows, std::vector<bool>(training.rows.rows(), true), chosen);
  const Layout layout = Layout::vector(rows.cols());
  common::InnerContext inner(context, budget - copy);
  solver_->bind(layout);
  TrainingSet set{rows, layout, training.labels, training.classes};
  set.row_numbers = training.row_numbers;
  set.weights = training.weights;
  set.groups = training.groups;
  solver_->train(set, report, inner);
}

ColumnBlocks GreedySelection::columns() const { return ColumnBlocks(widths_).only(chosen_); }

void GreedySelection::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (!solver_) throw Error("the solver has not been trained");
  if (in.cols != inputs_ || out.cols != classes_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
  if (takes_all()) return solver_->apply(in, out, context);
  const ColumnBlocks chosen = columns();
  FloatMatrix picked(in.rows, chosen.width());
  for (std::size_t i = 0; i < in.rows; ++i) chosen.copy(in.row(i), picked.view().row(i));
  solver_->apply(std::as_const(picked).view(), out, context);
}

void GreedySelection::save(StateWriter& state) const {
  if (!solver_) throw Error("the solver has not been trained");
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integers("widths", std::vector<std::int64_t>(widths_.begin(), widths_.end()));
  state.integers("chosen", std::vector<std::int64_t>(chosen_.begin(), chosen_.end()));
  NestedWriter inner(state, "solver_");
  solver_->save(inner);
}

void GreedySelection::load(const StateReader& state, Context& context) {
  const std::int64_t classes = state.integer("classes");
  const auto widths = state.integers("widths"), chosen = state.integers("chosen");
  const std::set<std::int64_t> different(chosen.begin(), chosen.end());
  const auto inputs = static_cast<std::int64_t>(widths.size());
  const auto values = static_cast<std::int64_t>(layout_.size());
  std::int64_t rest = values;  // each width is within the remainder
  for (const std::int64_t width : widths) rest -= std::clamp<std::int64_t>(width, 0, rest + 1);
  if (rest != 0 || classes < 2 || chosen.empty() || different.size() != chosen.size() ||
      *different.begin() < 0 || *different.rbegin() >= inputs ||
      std::ranges::any_of(widths, [](std::int64_t w) { return w < 1; }))
    throw Error("the saved selection of inputs is damaged; train it again");
  classes_ = static_cast<std::size_t>(classes);
  widths_.assign(widths.begin(), widths.end());
  chosen_.assign(chosen.begin(), chosen.end());
  inputs_ = std::accumulate(widths_.begin(), widths_.end(), std::size_t{0});
  solver_ = make_();
  solver_->bind(takes_all() ? layout_ : Layout::vector(columns().width()));
  solver_->load(NestedReader(state, "solver_"), context);
}

}  // namespace

ComponentEntry declare_greedy_selection() { return GreedySelection::declare().entry(); }

}  // namespace semblance::linear
