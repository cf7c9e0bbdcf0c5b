// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "figures/judged_targets.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/explanation.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

namespace semblance::evaluators {
namespace {

/// A test sample, or a number of one.
struct ChosenSample {
  std::size_t row = 0;
  std::size_t target = 0;
};

/// `evaluator/explanations`: why some test samples are predicted as they are.
class Explanations final : public EvaluatorOf<PortType::scores, PortType::estimates,
                                              PortType::intervals, PortType::novelty> {
 public:
  static Declaration<Explanations> declare();
  void check_parameters() const override;
  Needs needs() const override { return {.explanations = true}; }
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Results& given, Report& report, Context& context) const override;

 private:
  std::size_t count() const noexcept { return static_cast<std::size_t>(count_); }
  std::vector<ChosenSample> chosen(const Results& test, Report& report, Context& context) const;
  std::vector<ChosenSample> chosen_numbers(const Results& test, Report& report,
                                           Context& context) const;
  std::vector<Explanation> explained(const Results& test,
                                     const std::vector<ChosenSample>& all) const;

  std::int64_t count_ = 4;
  std::vector<std::int64_t> rows_;
  std::string target_;
  std::int64_t examples_ = 5;
  std::int64_t background_ = 50;
};

/// The test samples with these numbers in the data. Throws Error.
std::vector<std::size_t> named_tests(std::span<const std::int64_t> numbers, const Dataset& data) {
  const std::size_t first = first_scored_row(data);
  std::vector<std::size_t> found;
  for (const std::int64_t number : numbers) {
    std::size_t row = first;
    while (row < data.outline().rows() && data.number(row) != number) ++row;
    if (row == data.outline().rows())
      throw Error("'rows' names the sample " + std::to_string(number) +
                  ", which is none of the test samples");
    found.push_back(row - first);
  }
  return found;
}

/// What `explain` returns, and their number as `explained`. Where the machine cannot be explained,
/// a warning and `not_explained` say why, and there is nothing.
std::optional<std::vector<Explanation>> explained_or_not(
    const std::function<std::vector<Explanation>()>& explain, Report& report, Context& context) {
  try {
    std::vector<Explanation> made = explain();
    report.integer("explained", static_cast<std::int64_t>(made.size()));
    return made;
  } catch (const Cancelled&) {
    throw;
  } catch (const MemoryError&) {
    throw;
  } catch (const Error& problem) {
    report.integer("explained", 0);
    report.text("not_explained", problem.what());
    context.log(LogLevel::warning, "no sample is explained: " + std::string(problem.what()));
    return std::nullopt;
  }
}

Declaration<Explanations> Explanations::declare() {
  return Declaration<Explanations>("evaluator/explanations",
                                   "Why some test samples are predicted as they are")
      .documentation(
          "To look into a classifier, a regressor or a novelty detector: for some test samples, "
          "the examples that spoke for the predicted class and for the strongest other one, or "
          "that raised and lowered the number or the score, and the parts of the sample that made "
          "the difference. By default these are the misclassified samples that are wrong by most, "
          "then the right ones by the smallest margin; of numbers the samples with the largest "
          "errors, as in evaluator/errors; of a detector the most novel ones, those with the "
          "smallest scores (on ties, the first ones), which need no classes.\n\n"
          "What `semblance explain` says about a sample is drawn: bases of a map, or vectors of a "
          "kernel machine, with their contributions; Shapley values as bars of a vector's columns, "
          "as colours of a series' steps and of a string's letters, and as a heat map over an "
          "image. The same numbers are in metrics.json, as `explanations`.\n\n"
          "Where scores are calibrated, the solver before the calibrator is explained, and of an "
          "interval the estimate. A solver that is no sum over examples is explained by its shares "
          "alone; if its samples have no parts either, such as sets and graphs, a warning and "
          "`not_explained` say so. New data have no training samples to be drawn.")
      .complexity(
          "of exact shares, at most examples x columns^2 x `background` per sample; of sampled "
          "ones, at least 100 x parts rows through the pipeline")
      .parameter("count", &Explanations::count_, "number of samples to explain", at_least(1),
                 at_most(100))
      .parameter("rows", &Explanations::rows_,
                 "numbers of the test samples to explain, in the data; empty: `count` samples, the "
                 "most wrong or most novel ones first")
      .parameter("target", &Explanations::target_,
                 "the number to explain, if several are predicted; empty: of each sample the one "
                 "with the largest error, in units of its RMSE")
      .parameter("examples", &Explanations::examples_, "the most examples to list on each side",
                 at_least(1), at_most(50))
      .parameter("background", &Explanations::background_,
                 "the most training samples that shares compare with", at_least(1), at_most(1000))
      .reports({"explained", "number of samples explained", FigureUnit::count, Better::none, true})
      .reports(known_rows_figures())
      .gone({.written = "evaluator/estimate_explanations",
             .since = "1.0",
             .advice = "evaluator/explanations takes estimates too"})
      .gone({.written = "evaluator/novelty_explanations",
             .since = "1.0",
             .advice = "evaluator/explanations takes novelty scores too"})
      .example(R"(
        points: {is: source/rings, classes: 3, train: 60, test: 60}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        why:    {is: evaluator/explanations, count: 2, from: svm})");
}

void Explanations::check_parameters() const {
  std::vector<std::int64_t> rows = rows_;
  std::ranges::sort(rows);
  const auto again = std::ranges::adjacent_find(rows);
  if (again != rows.end())
    throw Error("'rows' names the sample " + std::to_string(*again) + " twice");
}

void Explanations::check_scores(const AnnouncedScores& scores) const {
  if (!target_.empty() && scores.output != PortType::estimates &&
      scores.output != PortType::intervals)
    throw Error("'target' names a number, but '" + scores.node + "' (" + scores.solver +
                ") estimates none; remove it");
}

/// The shortest text that is read back as the number; empty: there is none.
template <typename Number>
std::string exact_text(Number number) {
  if (std::isnan(number)) return "";
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string class_text(std::span<const std::string> classes, std::span<const std::int32_t> labels,
                       std::size_t row) {
  if (row >= labels.size() || labels[row] < 0) return "";
  return classes[static_cast<std::size_t>(labels[row])];
}

std::string number_text(const Results& test, std::span<const double> targets,
                        const ChosenSample& sample) {
  const std::size_t place = sample.row * test.target_names.size() + sample.target;
  return place < targets.size() ? exact_text(targets[place]) : "";
}

/// The true class or number of a test sample; empty: unknown.
std::string true_text(const Results& test, const ChosenSample& sample) {
  return test.type == PortType::estimates ? number_text(test, test.targets, sample)
                                          : class_text(test.classes, test.labels, sample.row);
}

std::string predicted_text(const Results& test, const ChosenSample& sample) {
  const auto outputs = test.outputs.row_span(sample.row);
  if (test.type == PortType::estimates) return exact_text(outputs[sample.target]);
  if (test.type == PortType::novelty) return outputs[0] < 0 ? "novel" : "usual";
  return test.classes[static_cast<std::size_t>(predicted_class(outputs))];
}

/// The training samples of the examples that are shown, with their classes or numbers; none
/// unless all are training samples.
std::vector<SampleList::Sample> shown_training(const Results& test, const Explanation& made,
                                               std::size_t target, std::size_t top) {
  std::vector<SampleList::Sample> drawn;
  if (test.new_data) return drawn;
  const Dataset& data = *test.data;
  const ShownExamples shown = shown_examples(made, top);
  for (const auto* side : {&shown.plus, &shown.minus})
    for (const ExampleTerm& term : *side) {
      const auto row = static_cast<std::size_t>(term.row.value_or(-1));
      if (!term.row || row >= data.outline().train_rows) return {};
      drawn.push_back(drawn_sample(data, row,
                                   test.type == PortType::estimates
                                       ? number_text(test, data.targets(), {row, target})
                                       : class_text(data.outline().classes, data.labels(), row)));
    }
  return drawn;
}

/// All of them, the most novel first.
std::vector<std::size_t> by_novelty(const Results& test) {
  std::vector<std::size_t> rows(test.outputs.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return test.outputs.row(i)[0]; });
  return rows;
}

/// Those with a label: misclassified samples by how wrong they are, then the others by their
/// margin.
std::vector<std::size_t> by_margin(const Results& test, Report& report, Context& context) {
  std::vector<std::size_t> rows = known_rows(test, report, context);
  std::vector<double> margins(test.outputs.rows);
  for (const std::size_t i : rows) {
    const auto scores = test.outputs.row_span(i);
    const auto label = static_cast<std::size_t>(test.labels[i]);
    double other = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (c != label) other = std::max(other, double{scores[c]});
    // Ties go to the first class: a margin of zero may be right or wrong.
    const bool right = predicted_class(scores) == test.labels[i];
    const double margin = double{scores[label]} - other;
    margins[i] = right ? std::max(margin, 0.0) : margin;
    if (!right && !(margins[i] < 0)) margins[i] = -std::numeric_limits<double>::denorm_min();
  }
  std::ranges::stable_sort(rows, {}, [&](std::size_t i) { return margins[i]; });
  return rows;
}

std::vector<ChosenSample> Explanations::chosen(const Results& test, Report& report,
                                               Context& context) const {
  if (test.type == PortType::estimates) return chosen_numbers(test, report, context);
  std::vector<std::size_t> rows = !rows_.empty() ? named_tests(rows_, *test.data)
                                  : test.type == PortType::novelty
                                      ? by_novelty(test)
                                      : by_margin(test, report, context);
  if (rows_.empty()) rows.resize(std::min(rows.size(), count()));
  std::vector<ChosenSample> all;
  all.reserve(rows.size());
  for (const std::size_t row : rows) all.push_back({row});
  return all;
}

std::vector<ChosenSample> Explanations::chosen_numbers(const Results& test, Report& report,
                                                       Context& context) const {
  const std::size_t rows = test.outputs.rows, width = test.target_names.size();
  std::size_t wanted = 0;
  if (!target_.empty()) {
    wanted = static_cast<std::size_t>(std::ranges::find(test.target_names, target_) -
                                      test.target_names.begin());
    if (wanted == width)
      throw Error("'target' names the number '" + target_ + "', which is none of the targets");
  }
  const bool any = std::ranges::any_of(test.targets, [](double x) { return !std::isnan(x); });
  std::vector<LargestError> errors;
  if (rows_.empty() || (target_.empty() && any)) {
    std::vector<JudgedTarget> targets = judged_targets(test, context);
    if (!target_.empty())
      std::erase_if(targets, [&](const JudgedTarget& each) { return each.index != wanted; });
    if (targets.empty())
      throw Error("no test row has a number of '" + target_ + "'; name samples by 'rows'");
    if (rows_.empty())
      report_known_rows(known_samples(targets, rows).size(), rows, "have no target number", report,
                        context);
    errors = largest_errors(targets, rows);
  }
  std::vector<std::size_t> target_of(rows, wanted);
  for (const LargestError& error : errors) target_of[error.row] = error.target;
  std::vector<ChosenSample> all;
  if (!rows_.empty()) {
    for (const std::size_t row : named_tests(rows_, *test.data))
      all.push_back({row, target_of[row]});
    return all;
  }
  for (const LargestError& error : errors)
    if (all.size() < count()) all.push_back({error.row, error.target});
  return all;
}

/// In the order of `all`. The numbers of one target are explained together.
std::vector<Explanation> Explanations::explained(const Results& test,
                                                 const std::vector<ChosenSample>& all) const {
  std::vector<Explanation> made(all.size());
  const std::size_t targets = std::max<std::size_t>(test.target_names.size(), 1);
  for (std::size_t t = 0; t < targets; ++t) {
    std::vector<std::size_t> places, rows;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].target == t) {
        places.push_back(k);
        rows.push_back(all[k].row);
      }
    if (rows.empty()) continue;
    std::vector<Explanation> own = test.explain(rows, static_cast<std::size_t>(background_), t);
    for (std::size_t k = 0; k < places.size(); ++k) made[places[k]] = std::move(own.at(k));
  }
  return made;
}

void Explanations::evaluate(const Results& given, Report& report, Context& context) const {
  using Of = ExplainedSamples::Of;
  Results test = given;
  FloatMatrix estimates(given.outputs.rows, given.target_names.size());
  if (given.type == PortType::intervals) {
    for (std::size_t i = 0; i < estimates.values.size(); ++i)
      estimates.values[i] = given.outputs.row(i / estimates.cols)[3 * (i % estimates.cols) + 1];
    test.outputs = std::as_const(estimates).view();
    test.type = PortType::estimates;
  }
  const std::vector<ChosenSample> all = chosen(test, report, context);
  auto made = explained_or_not([&] { return explained(test, all); }, report, context);
  if (!made) return;
  const Dataset& data = *test.data;
  ExplainedSamples list{"explanations",
                        data.outline().layout,
                        column_names(data.outline()),
                        static_cast<std::size_t>(examples_),
                        {},
                        test.type == PortType::estimates ? Of::numbers
                        : test.type == PortType::novelty ? Of::novelty
                                                         : Of::classes};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::size_t row = first_scored_row(data) + all[k].row;
    std::vector<SampleList::Sample> examples =
        shown_training(test, made->at(k), all[k].target, list.top);
    list.entries.push_back({drawn_sample(data, row, true_text(test, all[k])), data.number(row),
                            predicted_text(test, all[k]), std::move(made->at(k)),
                            std::move(examples)});
  }
  report.explained_samples(list);
}

}  // namespace

ComponentEntry declare_explanations() { return Explanations::declare().entry(); }

}  // namespace semblance::evaluators
