// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "drawn_samples.hpp"
#include "scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/errors`: shows the test samples with the largest errors.
class Errors final : public Evaluator {
 public:
  static Declaration<Errors> declare();
  void check_parameters() const override;
  bool wants_samples() const override { return true; }
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  /// A misclassified test sample.
  struct Mistake {
    std::size_t row = 0;
    std::size_t label = 0;
    std::size_t predicted = 0;
    double margin = 0;  ///< its own class's score minus that of the class it is assigned to
  };
  std::vector<Mistake> mistakes(const Scored& test, const std::vector<std::size_t>& rows) const;
  SampleList::Entry entry(const Scored& test, const Mistake& mistake) const;

  std::int64_t count_ = 20;
  std::string class_;
  std::string taken_for_;
  std::int64_t bases_ = 3;
};

/// The number of largest scores reported for a sample, in addition to its own class's.
constexpr std::size_t most_scores = 3;

/// The largest ones and that of the sample's own class, by falling score.
std::vector<SampleList::Score> told_scores(const Scored& test, std::size_t row, std::size_t label) {
  const auto scores = test.scores.row_span(row);
  std::vector<std::size_t> order(scores.size());
  for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
  std::ranges::stable_sort(order, [&](auto a, auto b) { return scores[a] > scores[b]; });
  std::vector<SampleList::Score> shown;
  for (std::size_t r = 0; r < order.size(); ++r)
    if (r < most_scores || order[r] == label)
      shown.push_back({test.classes[order[r]], double{scores[order[r]]}});
  return shown;
}

Declaration<Errors> Errors::declare() {
  return Declaration<Errors>("evaluator/errors", "The worst misclassified test samples, drawn")
      .documentation(
          "To look at what a classifier gets wrong: wrong labels, damaged samples, classes that "
          "look alike. Lists the misclassified test samples whose own class's score is farthest "
          "below that of the class they are assigned to (on ties, the first rows). The report "
          "draws them as the source gives them, pictures by their pixels, tables by their values "
          "with the names of the columns, with the largest scores. Where a similarity map feeds "
          "the solver, each stands beside the bases of the map that it is most similar to, with "
          "their classes. The table `largest_errors` has their numbers in the data, scores and "
          "margins, in the order of the list.\n"
          "\n"
          "Rows without a label are excluded, with a warning. Where a model is applied to new "
          "data, no bases are shown: these are rows of the training data.")
      .complexity("sorting the errors; the drawn samples pass through the pipeline once more")
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
      .reports(known_rows_figures())
      .reports({"largest_errors.row", "number of the row in the data", FigureUnit::count})
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
  if (!class_.empty()) class_named("class", class_, scores.classes);
  if (!taken_for_.empty()) class_named("taken_for", taken_for_, scores.classes);
}

std::vector<Errors::Mistake> Errors::mistakes(const Scored& test,
                                              const std::vector<std::size_t>& rows) const {
  std::vector<Mistake> found;
  for (const std::size_t i : rows) {
    const auto scores = test.scores.row_span(i);
    const auto label = static_cast<std::size_t>(test.labels[i]);
    const auto predicted = static_cast<std::size_t>(predicted_class(scores));
    if (label == predicted || (!class_.empty() && test.classes[label] != class_) ||
        (!taken_for_.empty() && test.classes[predicted] != taken_for_))
      continue;
    const double margin = double{scores[label]} - double{scores[predicted]};
    // Both are infinite, so they do not differ.
    found.push_back({i, label, predicted, std::isnan(margin) ? 0 : margin});
  }
  std::ranges::stable_sort(found, {}, &Mistake::margin);
  return found;
}

SampleList::Entry Errors::entry(const Scored& test, const Mistake& mistake) const {
  const Dataset& data = *test.data;
  const std::size_t row = first_scored_row(data) + mistake.row;
  SampleList::Entry made{drawn_sample(data, row, test.classes[mistake.label]),
                         test.classes[mistake.predicted],
                         told_scores(test, mistake.row, mistake.label),
                         {}};
  if (bases_ == 0) return made;
  for (const NearBasis& near : test.nearest_bases(mistake.row, static_cast<std::size_t>(bases_))) {
    const auto label = static_cast<std::size_t>(data.labels()[near.row]);
    made.nearest.push_back({drawn_sample(data, near.row, data.outline().classes.at(label)),
                            test.lineage.maps.at(near.map).node, double{near.similarity}});
  }
  return made;
}

void Errors::evaluate(const Scored& test, Report& report, Context& context) const {
  const std::vector<std::size_t> rows = known_rows(test, report, context);
  const std::vector<Mistake> found = mistakes(test, rows);
  report.integer("errors", static_cast<std::int64_t>(found.size()));
  if (found.empty()) return;
  report.number("largest_margin", -found.front().margin);
  const Outline& outline = test.data->outline();
  SampleList list{"samples", outline.layout, column_names(outline), {}};
  Table table{"largest_errors", "sample", "", {}, {"row", "own_score", "score", "margin"}, {}};
  for (std::size_t k = 0; k < std::min(found.size(), static_cast<std::size_t>(count_)); ++k) {
    context.check_stop();
    const Mistake& mistake = found[k];
    list.entries.push_back(entry(test, mistake));
    const SampleList::Entry& made = list.entries.back();
    std::string name = made.sample.name + ": ";
    name += made.sample.label + " taken for " + made.predicted;
    table.rows.push_back(std::move(name));
    const auto scores = test.scores.row_span(mistake.row);
    const std::size_t row = first_scored_row(*test.data) + mistake.row;
    table.values.insert(table.values.end(),
                        {static_cast<double>(test.data->number(row)), double{scores[mistake.label]},
                         double{scores[mistake.predicted]}, mistake.margin});
  }
  report.table(table);
  report.sample_list(list);
}

}  // namespace

ComponentEntry declare_errors() { return Errors::declare().entry(); }

}  // namespace semblance::evaluators
