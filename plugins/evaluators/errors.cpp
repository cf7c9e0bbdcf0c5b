// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "figures/judged_targets.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

/// A test sample with an error, as the list and the table show it.
struct Miss {
  std::size_t row = 0;
  std::size_t target = 0;  ///< of numbers: which of them
  std::string label, predicted;
  std::vector<SampleList::Score> scores;
  std::vector<double> figures;  ///< of the table, after the sample's number
};

/// `evaluator/errors`: shows the test samples with the largest errors.
class Errors final : public EvaluatorOf<PortType::scores, PortType::estimates> {
 public:
  static Declaration<Errors> declare();
  void check_parameters() const override;
  Needs needs() const override { return {.samples = true}; }
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Results& test, Report& report, Context& context) const override;

 private:
  std::vector<Miss> wrong_classes(const Results& test, Report& report, Context& context) const;
  std::vector<Miss> wrong_numbers(const Results& test, Report& report, Context& context) const;
  std::size_t shown(std::size_t all) const {
    return std::min(all, static_cast<std::size_t>(count_));
  }

  std::int64_t count_ = 20;
  std::string class_;
  std::string taken_for_;
  std::int64_t bases_ = 3;
};

/// The number of largest scores reported for a sample, in addition to its own class's.
constexpr std::size_t most_scores = 3;

/// The largest ones and that of the sample's own class, by falling score.
std::vector<SampleList::Score> told_scores(const Results& test, std::size_t row,
                                           std::size_t label) {
  const auto scores = test.outputs.row_span(row);
  std::vector<std::size_t> order(scores.size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
  std::ranges::stable_sort(order, [&](auto a, auto b) { return scores[a] > scores[b]; });
  std::vector<SampleList::Score> shown;
  for (std::size_t r = 0; r < order.size(); ++r)
    if (r < most_scores || order[r] == label)
      shown.push_back({test.classes[order[r]], double{scores[order[r]]}});
  return shown;
}

/// "18.35", or of several targets "price 18.35".
std::string number_text(std::span<const std::string> names, std::size_t target, double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", number);
  return names.size() > 1 ? names[target] + " " + text : text;
}

Declaration<Errors> Errors::declare() {
  return Declaration<Errors>("evaluator/errors", "The test samples with the largest errors, drawn")
      .documentation(
          "To look at what a classifier or a regressor gets wrong: wrong labels or numbers, "
          "damaged samples, classes that look alike, cases that training lacks. The report draws "
          "the samples as the source gives them, pictures by their pixels, tables by their values "
          "with the names of the columns. Where a similarity map feeds the solver, each stands "
          "beside the bases of the map that it is most similar to. The table `largest_errors` has "
          "their numbers in the data, in the order of the list.\n\n"
          "For a classifier these are the misclassified samples whose own class's score is "
          "farthest below that of the class they are assigned to (on ties, the first rows), with "
          "the largest scores. For a regressor they are those with the largest differences between "
          "estimate and true number; with several target numbers each difference is divided by the "
          "RMSE of its target, and a sample counts by its largest.\n\n"
          "Rows without a label or number are excluded, with a warning. Where a model is applied "
          "to new data, no bases are shown: these are rows of the training data.")
      .complexity("sorting the errors; the drawn samples are recomputed")
      .parameter("count", &Errors::count_, "number of samples to draw", at_least(1), at_most(500))
      .parameter("class", &Errors::class_, "only samples of this class; empty: of any")
      .parameter("taken_for", &Errors::taken_for_,
                 "only samples that are assigned to this class; empty: to any")
      .parameter("bases", &Errors::bases_,
                 "number of most similar bases to draw beside each sample, of each map",
                 at_least(0), at_most(20))
      .reports({"errors", "number of misclassified rows of the classes asked for",
                FigureUnit::count, Better::lower, true})
      .reports({"largest_margin", "how far the worst of them is below the class it is assigned to",
                FigureUnit::plain, Better::lower})
      .reports({"largest_error",
                "of numbers: size of the largest error, in units of the RMSE of its target",
                FigureUnit::plain, Better::lower, true})
      .reports(known_rows_figures())
      .reports({"largest_errors.row", "number of the row in the data", FigureUnit::count})
      .gone({.written = "evaluator/estimate_errors",
             .since = "1.0",
             .advice = "evaluator/errors takes estimates too"})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        bases:  {is: basis/random, count: 30, from: glyphs}
        rbf:    {is: similarity/rbf, gamma: 1, from: hog, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        errors: {is: evaluator/errors, count: 5, from: svm})");
}

void Errors::check_parameters() const {
  if (!class_.empty() && class_ == taken_for_)
    throw Error("'class' and 'taken_for' are both '" + class_ +
                "', but samples that are assigned to their own class are not errors");
}

void Errors::check_scores(const AnnouncedScores& scores) const {
  for (const auto& [parameter, name] :
       {std::pair{"class", &class_}, std::pair{"taken_for", &taken_for_}}) {
    if (name->empty()) continue;
    if (scores.output != PortType::scores)
      throw Error(std::string("'") + parameter + "' names a class, but '" + scores.node + "' (" +
                  scores.solver + ") estimates numbers; remove it");
    class_named(parameter, *name, scores.classes);
  }
}

std::vector<Miss> Errors::wrong_classes(const Results& test, Report& report,
                                        Context& context) const {
  std::vector<std::pair<double, std::size_t>> found;  // by margin, then in their order
  for (const std::size_t i : known_rows(test, report, context)) {
    const auto scores = test.outputs.row_span(i);
    const auto label = static_cast<std::size_t>(test.labels[i]);
    const auto predicted = static_cast<std::size_t>(predicted_class(scores));
    if (label == predicted || (!class_.empty() && test.classes[label] != class_) ||
        (!taken_for_.empty() && test.classes[predicted] != taken_for_))
      continue;
    found.emplace_back(double{scores[label]} - double{scores[predicted]}, i);
  }
  std::ranges::sort(found);
  report.integer("errors", static_cast<std::int64_t>(found.size()));
  if (!found.empty()) report.number("largest_margin", -found.front().first);
  std::vector<Miss> misses;
  for (const auto& [margin, row] : std::span(found).first(shown(found.size()))) {
    const auto scores = test.outputs.row_span(row);
    const auto label = static_cast<std::size_t>(test.labels[row]);
    const auto predicted = static_cast<std::size_t>(predicted_class(scores));
    misses.push_back({row,
                      0,
                      test.classes[label],
                      test.classes[predicted],
                      told_scores(test, row, label),
                      {double{scores[label]}, double{scores[predicted]}, margin}});
  }
  return misses;
}

std::vector<Miss> Errors::wrong_numbers(const Results& test, Report& report,
                                        Context& context) const {
  const std::vector<JudgedTarget> targets = judged_targets(test, context);
  const std::size_t rows = test.outputs.rows;
  report_known_rows(known_samples(targets, rows).size(), rows, "have no target number", report,
                    context);
  const std::vector<LargestError> found = largest_errors(targets, rows);
  report.number("largest_error", found.empty() ? 0 : found.front().size);
  std::vector<Miss> misses;
  for (const auto& [row, target, error, size] : std::span(found).first(shown(found.size()))) {
    const double truth = test.targets[row * test.target_names.size() + target];
    const double estimate{test.outputs.row_span(row)[target]};
    misses.push_back({row,
                      target,
                      number_text(test.target_names, target, truth),
                      number_text(test.target_names, target, estimate),
                      {{"error", estimate - truth}},
                      {truth, estimate, error}});
  }
  return misses;
}

/// The class or number of a training sample, which stands beside this one.
std::string label_of_training(const Results& test, std::size_t row, const Miss& miss) {
  const Dataset& data = *test.data;
  if (test.type == PortType::scores)
    return data.outline().classes.at(static_cast<std::size_t>(data.labels()[row]));
  const std::size_t place = row * test.target_names.size() + miss.target;
  return place < data.targets().size()
             ? number_text(test.target_names, miss.target, data.targets()[place])
             : "";
}

void Errors::evaluate(const Results& test, Report& report, Context& context) const {
  const bool numbers = test.type == PortType::estimates;
  const std::vector<Miss> misses =
      numbers ? wrong_numbers(test, report, context) : wrong_classes(test, report, context);
  if (misses.empty()) return;
  const Dataset& data = *test.data;
  const auto bases = static_cast<std::size_t>(bases_);
  SampleList list{"samples", data.outline().layout, column_names(data.outline()), {}};
  Table table{"largest_errors", "sample", "", {}, {"row", "own_score", "score", "margin"}, {}};
  if (numbers) table.columns = {"row", "true_number", "estimate", "error"};
  for (const Miss& miss : misses) {
    context.check_stop();
    const std::size_t row = first_scored_row(data) + miss.row;
    SampleList::Entry made{drawn_sample(data, row, miss.label), miss.predicted, miss.scores, {}};
    for (const NearBasis& near :
         bases > 0 ? test.nearest_bases(miss.row, bases) : std::vector<NearBasis>())
      made.nearest.push_back({drawn_sample(data, near.row, label_of_training(test, near.row, miss)),
                              test.lineage.maps.at(near.map).node, double{near.similarity}});
    table.rows.push_back(made.sample.name + ": " + miss.label + " taken for " + miss.predicted);
    table.values.push_back(static_cast<double>(data.number(row)));
    table.values.insert(table.values.end(), miss.figures.begin(), miss.figures.end());
    list.entries.push_back(std::move(made));
  }
  report.table(table);
  report.sample_list(list);
}

}  // namespace

ComponentEntry declare_errors() { return Errors::declare().entry(); }

}  // namespace semblance::evaluators
