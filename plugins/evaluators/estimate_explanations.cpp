// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explained_tests.hpp"
#include "largest_errors.hpp"
#include "scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/estimate_explanations`: why numbers of some test samples are estimated as they are.
class EstimateExplanations final : public EstimateEvaluator, public ExplainedChoice {
 public:
  static Declaration<EstimateExplanations> declare();
  void check_parameters() const override { check_rows_differ(); }
  bool wants_explanations() const override { return true; }
  void evaluate(const Estimated& test, Report& report, Context& context) const override;

 private:
  /// A number of a test sample.
  struct Chosen {
    std::size_t row = 0;
    std::size_t target = 0;
  };
  std::vector<Chosen> chosen(const Estimated& test, Report& report, Context& context) const;
  std::vector<Explanation> explained(const Estimated& test, const std::vector<Chosen>& all) const;

  std::string target_;
};

/// The shortest text that is read back as the number; empty: there is none.
template <typename Number>
std::string exact_text(Number number) {
  if (std::isnan(number)) return "";
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

Declaration<EstimateExplanations> EstimateExplanations::declare() {
  Declaration<EstimateExplanations> declaration("evaluator/estimate_explanations",
                                                "Why numbers of some test samples are estimated as "
                                                "they are");
  declaration.documentation(
      "To look into a regressor: for some test samples, the examples that raised and lowered "
      "the estimate, and the parts of the sample that made the difference. By default these "
      "are the samples with the largest errors, as of evaluator/estimate_errors. What "
      "`semblance explain` says about a sample is drawn, as by evaluator/explanations; the "
      "same numbers are in metrics.json, as `explanations`.\n"
      "\n"
      "With several target numbers that of `target` is explained, by default for each sample "
      "the one with the largest error in units of its RMSE. A regressor that is no sum over "
      "examples is explained by its shares alone; if its samples have no parts either, as sets "
      "and graphs, a warning and `not_explained` say so. New data have no training samples to "
      "be drawn.");
  return with_explained(declaration, "those with the largest errors",
                        "that raise the number, and that lower it")
      .parameter("target", &EstimateExplanations::target_,
                 "the number to explain, if several are predicted; empty: of each sample the one "
                 "with the largest error")
      .reports(known_rows_figures())
      .example(R"(
        table: {is: source/friedman, train: 200, test: 200}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 1}, C: 10, from: table}
        why:   {is: evaluator/estimate_explanations, count: 2, from: svr})");
}

std::vector<EstimateExplanations::Chosen> EstimateExplanations::chosen(const Estimated& test,
                                                                       Report& report,
                                                                       Context& context) const {
  const std::size_t rows = test.estimates.rows, width = test.names.size();
  std::size_t wanted = 0;
  if (!target_.empty()) {
    wanted = static_cast<std::size_t>(std::ranges::find(test.names, target_) - test.names.begin());
    if (wanted == width)
      throw Error("'target' names the number '" + target_ + "', which is none of the targets");
  }
  const bool any = std::ranges::any_of(test.targets, [](double x) { return !std::isnan(x); });
  std::vector<LargestError> errors;
  if (!names_rows() || (target_.empty() && any)) {
    std::vector<JudgedTarget> targets = judged_targets(test, context);
    if (!target_.empty())
      std::erase_if(targets, [&](const JudgedTarget& each) { return each.index != wanted; });
    if (targets.empty())
      throw Error("no test row has a number of '" + target_ + "'; name samples by 'rows'");
    if (!names_rows())
      report_known_rows(known_samples(targets, rows).size(), rows, "have no target number", report,
                        context);
    errors = largest_errors(targets, rows);
  }
  std::vector<std::size_t> target_of(rows, wanted);
  for (const LargestError& error : errors) target_of[error.row] = error.target;
  std::vector<Chosen> all;
  if (names_rows()) {
    for (const std::size_t row : named_tests(*test.data)) all.push_back({row, target_of[row]});
    return all;
  }
  for (const LargestError& error : errors)
    if (all.size() < count()) all.push_back({error.row, error.target});
  return all;
}

/// In the order of `all`. The numbers of one target are explained together.
std::vector<Explanation> EstimateExplanations::explained(const Estimated& test,
                                                         const std::vector<Chosen>& all) const {
  std::vector<Explanation> made(all.size());
  for (std::size_t t = 0; t < test.names.size(); ++t) {
    std::vector<std::size_t> places, rows;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].target == t) {
        places.push_back(k);
        rows.push_back(all[k].row);
      }
    if (rows.empty()) continue;
    std::vector<Explanation> own = test.explain(rows, t, background());
    for (std::size_t k = 0; k < places.size(); ++k) made[places[k]] = std::move(own.at(k));
  }
  return made;
}

void EstimateExplanations::evaluate(const Estimated& test, Report& report, Context& context) const {
  const std::vector<Chosen> all = chosen(test, report, context);
  auto made = explained_or_not([&] { return explained(test, all); }, report, context);
  if (!made) return;
  const std::size_t width = test.names.size();
  ExplainedTests list(*test.data, test.new_data, ExplainedSamples::Of::numbers, examples());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto [row, target] = all[k];
    list.add({row, exact_text(test.targets[row * width + target]),
              exact_text(test.estimates.row_span(row)[target])},
             std::move(made->at(k)), [&](std::size_t of) {
               const std::size_t place = of * width + target;
               const auto targets = test.data->targets();
               return place < targets.size() ? exact_text(targets[place]) : std::string();
             });
  }
  list.report(report);
}

}  // namespace

ComponentEntry declare_estimate_explanations() { return EstimateExplanations::declare().entry(); }

}  // namespace semblance::evaluators
