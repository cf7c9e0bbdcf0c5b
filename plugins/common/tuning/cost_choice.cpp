// SPDX-License-Identifier: MIT
#include "tuning/cost_choice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "semblance/error.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/parameters.hpp"
#include "semblance/row_groups.hpp"
#include "tuning/better_candidate.hpp"
#include "tuning/stratified_folds.hpp"

namespace semblance::common {

void check_costs(std::vector<double> path, std::optional<double> cost) {
  const std::size_t listed = path.size();
  if (cost) path.push_back(*cost);
  if (std::ranges::adjacent_find(path, std::greater_equal<>()) != path.end())
    throw Error(cost ? "'path' must increase, and end below C" : "'path' must increase");
  if (!cost && listed == 1)
    throw Error("'path' has a single value to choose C from; give C that value");
}

void check_folds(double folds, const std::string& cost) {
  if (folds != static_cast<double>(usual_folds) && number_given(cost))
    throw Error("'folds' belongs to 'C: automatic', but C is " + cost +
                "; omit it, or write 'C: automatic'");
}

std::vector<double> cost_decades(double unit, int last_decade) {
  constexpr int first_decade = -2;
  std::vector<double> costs;
  for (int decade = first_decade; decade <= last_decade; ++decade)
    costs.push_back(unit * std::pow(10.0, decade));
  return costs;
}

std::vector<std::size_t> cost_folds(const TrainingSet& training, std::size_t folds) {
  if (training.groups.empty())
    return stratified_folds(training.labels, training.classes.size(), folds, Random(0));
  return parts_by_group(training.labels, training.groups, folds, Random(0), "lower 'folds'");
}

std::size_t fold_count(std::span<const std::size_t> fold_of) noexcept {
  std::size_t folds = 0;
  for (const std::size_t fold : fold_of)
    if (fold != no_part) folds = std::max(folds, fold + 1);
  return folds;
}

void choose(const HeldOutErrors& sums, CostChoice& choice) {
  if (sums.total == 0) return;
  for (const double wrong : sums.wrong) choice.errors.push_back(wrong / sums.total);
  for (std::size_t c = 1; c < choice.errors.size(); ++c)  // in ascending order of costs
    if (is_better_candidate(choice.errors[c], choice.errors[choice.best], false)) choice.best = c;
}

std::vector<FigureInfo> choice_figures() {
  return {{"cost", "C, where it was chosen"},
          {"cross_validated_error_rate",
           "share of misclassified held-out training samples with the chosen C, by the weights of "
           "rows and classes where there are some",
           FigureUnit::share, Better::lower, true},
          {"choice_trainings", "number of trainings to choose C", FigureUnit::count, Better::lower},
          {"choice_seconds", "time that choosing C took", FigureUnit::seconds, Better::lower},
          {"costs.cross-validated error rate", "share of misclassified held-out training samples",
           FigureUnit::share, Better::lower},
          {"error_by_cost.cross-validated error rate",
           "share of misclassified held-out training samples", FigureUnit::share, Better::lower}};
}

void report_weighted(Report& report) {
  report.text("weighted_errors", "counted by the weights of rows and classes");
}

void report_choice(const CostChoice& choice, Report& report, Context& context) {
  report.number("cost", choice.costs[choice.best]);
  report.integer("choice_trainings", static_cast<std::int64_t>(choice.trainings));
  if (choice.errors.empty()) return;
  report.number("cross_validated_error_rate", choice.errors[choice.best]);
  if (choice.weighted) report_weighted(report);
  Table table{"costs", "C", "", {}, {"cross-validated error rate"}, choice.errors};
  for (const double cost : choice.costs) table.rows.push_back(to_text(Value(cost)));
  report.table(table);
  report.curve({"error_by_cost", "C", "cross-validated error rate", choice.costs, choice.errors});
  if (choice.unconverged > 0)
    context.log(LogLevel::warning, std::to_string(choice.unconverged) + " of the " +
                                       std::to_string(choice.trainings) +
                                       " trainings to choose C ended at the iteration limit");
  const bool smallest = choice.best == 0, largest = choice.best + 1 == choice.costs.size();
  if (smallest == largest) return;  // it lies between others, or is the only one before a stop
  const double next = choice.errors[smallest ? 1 : choice.best - 1];
  if (choice.errors[choice.best] < next)
    context.log(LogLevel::warning,
                "the best C is the " + std::string(smallest ? "smallest" : "largest") + " tried, " +
                    to_text(Value(choice.costs[choice.best])) + "; set 'path' with " +
                    (smallest ? "smaller" : "larger") + " ones");
}

}  // namespace semblance::common
