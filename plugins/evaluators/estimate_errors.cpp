// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "drawn_samples.hpp"
#include "judged_targets.hpp"
#include "largest_errors.hpp"
#include "scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/estimate_errors`: shows the test samples with the largest errors of an estimate.
class EstimateErrors final : public EstimateEvaluator {
 public:
  static Declaration<EstimateErrors> declare();
  bool wants_samples() const override { return true; }
  void evaluate(const Estimated& test, Report& report, Context& context) const override;

 private:
  SampleList::Entry entry(const Estimated& test, std::size_t row, std::size_t target) const;

  std::int64_t count_ = 20;
  std::int64_t bases_ = 3;
};

/// "18.35", or of several targets "price 18.35".
std::string number_text(const std::vector<std::string>& names, std::size_t target, double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", number);
  return names.size() > 1 ? names[target] + " " + text : text;
}

Declaration<EstimateErrors> EstimateErrors::declare() {
  using enum FigureUnit;
  return Declaration<EstimateErrors>("evaluator/estimate_errors",
                                     "The test samples with the largest errors of an estimate, "
                                     "drawn")
      .documentation(
          "To look at what a regressor gets wrong: wrong numbers, damaged samples, cases that "
          "training lacks. Lists the test samples with the largest differences between estimate "
          "and true number (on ties, the first rows). With several target numbers each difference "
          "is divided by the RMSE of its target, and a sample counts by its largest. The report "
          "draws the samples as the source gives them. Where a similarity map feeds the solver, "
          "each stands beside the bases of the map that it is most similar to, with their numbers. "
          "The table `largest_errors` has their numbers in the data, true numbers, estimates and "
          "errors (estimate minus true number), in the order of the list.\n"
          "\n"
          "Numbers that are unknown are excluded, and so are rows without any, with a warning. "
          "Where a model is applied to new data, no bases are shown: these are rows of the "
          "training data.")
      .complexity("sorting the errors; the drawn samples pass through the pipeline once more")
      .parameter("count", &EstimateErrors::count_, "number of samples to draw", at_least(1),
                 at_most(500))
      .parameter("bases", &EstimateErrors::bases_,
                 "number of most similar bases to draw beside each sample, of each map",
                 at_least(0), at_most(20))
      .reports({"largest_error", "size of the largest error, in units of the RMSE of its target",
                plain, Better::lower, true})
      .reports(known_rows_figures())
      .reports({"largest_errors.row", "number of the row in the data", count})
      .example(R"(
        table: {is: source/friedman, train: 200, test: 200}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 1}, C: 10, from: table}
        worst: {is: evaluator/estimate_errors, count: 5, from: svr})");
}

SampleList::Entry EstimateErrors::entry(const Estimated& test, std::size_t row,
                                        std::size_t target) const {
  const Dataset& data = *test.data;
  const std::vector<std::string> names(test.names.begin(), test.names.end());
  const std::size_t width = names.size();
  const double truth = test.targets[row * width + target];
  const double estimate{test.estimates.row_span(row)[target]};
  SampleList::Entry made{
      drawn_sample(data, first_scored_row(data) + row, number_text(names, target, truth)),
      number_text(names, target, estimate),
      {{"error", estimate - truth}},
      {}};
  if (bases_ == 0) return made;
  for (const NearBasis& near : test.nearest_bases(row, static_cast<std::size_t>(bases_))) {
    const std::size_t place = near.row * width + target;
    const std::string label =
        place < data.targets().size() ? number_text(names, target, data.targets()[place]) : "";
    made.nearest.push_back({drawn_sample(data, near.row, label),
                            test.lineage.maps.at(near.map).node, double{near.similarity}});
  }
  return made;
}

void EstimateErrors::evaluate(const Estimated& test, Report& report, Context& context) const {
  const std::vector<JudgedTarget> targets = judged_targets(test, context);
  const std::size_t rows = test.estimates.rows;
  report_known_rows(known_samples(targets, rows).size(), rows, "have no target number", report,
                    context);
  const std::vector<LargestError> found = largest_errors(targets, rows);
  report.number("largest_error", found.empty() ? 0 : found.front().size);
  if (found.empty()) return;
  const Outline& outline = test.data->outline();
  SampleList list{"samples", outline.layout, column_names(outline), {}};
  Table table{"largest_errors", "sample", "", {}, {"row", "true_number", "estimate", "error"}, {}};
  for (std::size_t k = 0; k < std::min(found.size(), static_cast<std::size_t>(count_)); ++k) {
    context.check_stop();
    const LargestError& miss = found[k];
    list.entries.push_back(entry(test, miss.row, miss.target));
    const SampleList::Entry& made = list.entries.back();
    table.rows.push_back(made.sample.name + ": " + made.sample.label + " taken for " +
                         made.predicted);
    const std::size_t row = first_scored_row(*test.data) + miss.row;
    const double truth = test.targets[miss.row * test.names.size() + miss.target];
    table.values.insert(table.values.end(),
                        {static_cast<double>(test.data->number(row)), truth,
                         double{test.estimates.row_span(miss.row)[miss.target]}, miss.error});
  }
  report.table(table);
  report.sample_list(list);
}

}  // namespace

ComponentEntry declare_estimate_errors() { return EstimateErrors::declare().entry(); }

}  // namespace semblance::evaluators
