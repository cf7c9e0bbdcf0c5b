// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "figures/bootstrap.hpp"
#include "figures/ranked_rows.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

/// All samples as ranked by one class.
struct RankedClass {
  std::size_t index = 0;  ///< of the class
  RankedRows ranked;
};

/// The mean of the figures over the classes for which they are defined, where sample i counts
/// `counts[i]` times; nothing if there is no such class.
std::optional<std::vector<double>> mean_figures(const std::vector<RankedClass>& classes,
                                                std::span<const std::uint32_t> counts,
                                                const RankingLevels& levels,
                                                const Context& context) {
  std::vector<double> mean(ranking_figure_names.size());
  std::size_t defined = 0;
  for (const RankedClass& one : classes) {
    context.check_stop();
    if (!one.ranked.defined(counts)) continue;
    const RankingFigures figures = one.ranked.figures(counts, levels);
    for (std::size_t f = 0; f < mean.size(); ++f) mean[f] += figures[f];
    ++defined;
  }
  if (defined == 0) return std::nullopt;
  for (double& figure : mean) figure /= static_cast<double>(defined);
  return mean;
}

/// `evaluator/ranking`: how well scores rank the samples of a class before all other samples.
class Ranking final : public Evaluator, public ReportsIntervals {
 public:
  static Declaration<Ranking> declare();
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Results& test, Report& report, Context& context) const override;

 private:
  RankingLevels levels() const { return {at_recall_, at_precision_, at_share_}; }
  std::vector<std::size_t> classes_to_rank(std::span<const std::string> classes) const;
  std::vector<RankedClass> ranked(const Results& test, const std::vector<std::size_t>& rows,
                                  Context& context) const;

  std::string positive_;
  double at_recall_ = RankingLevels{}.recall;
  double at_precision_ = RankingLevels{}.precision;
  double at_share_ = RankingLevels{}.share;
};

/// The largest number of classes with curves; if there are more, the worst ranked ones are shown.
constexpr std::size_t most_curves = 12;

/// The logarithm of the odds of a class. In float32 all probabilities above 1 - 2^-25 are 1, so
/// near 1 the probabilities of the other classes are more precise: they give the distance from 1
/// among all values that are rounded to the same. (Not further below, where rounding of their sum
/// could separate what is equal.)
double log_odds(std::span<const float> probabilities, std::size_t c) {
  constexpr double near_1 = 1 - 0x1p-12, half_step = 0x1p-25;
  const double p = std::clamp(double{probabilities[c]}, 0.0, 1.0);
  double against = 1 - p;
  if (p > near_1 || probabilities.size() == 2) {
    double others = 0;
    for (std::size_t k = 0; k < probabilities.size(); ++k)
      others += k == c ? 0 : double{probabilities[k]};
    if (p > 0.5)
      against = std::clamp(others, std::max(against - half_step, 0.0), against + half_step);
  }
  return std::log(p) - std::log(against);
}

/// The ranking scores for a class: for two classes the difference to the other's score, so that
/// ranking agrees with classification; else the class's score. Probabilities rank by their odds.
std::vector<double> ranking_scores(const Results& test, const std::vector<std::size_t>& rows,
                                   std::size_t c) {
  const bool against_other = test.classes.size() == 2 && !test.probabilities;
  std::vector<double> scores;
  scores.reserve(rows.size());
  for (const std::size_t i : rows) {
    const auto row = test.outputs.row_span(i);
    scores.push_back(test.probabilities ? log_odds(row, c)
                     : against_other    ? double{row[c]} - double{row[1 - c]}
                                        : double{row[c]});
  }
  return scores;
}

/// The rankings of all classes are needed at the same time, for each draw of the bootstrap.
void check_memory(std::size_t rows, std::size_t classes, const Context& context) {
  constexpr double bytes_of_row = 9;
  const double needed = bytes_of_row * static_cast<double>(rows) * static_cast<double>(classes);
  if (needed > static_cast<double>(context.memory_budget()))
    throw MemoryError("rankings of " + std::to_string(rows) + " rows for " +
                      std::to_string(classes) +
                      " classes do not fit the memory budget; rank one class (positive), or raise "
                      "--memory");
}

/// Whether there are samples inside and outside of the class.
bool can_be_ranked(const RankedRows& ranked) {
  return ranked.positives() > 0 && ranked.positives() < ranked.rows();
}

/// The figures of each class.
Table class_table(const std::vector<RankedClass>& all, const RankingLevels& levels,
                  std::span<const std::string> classes, const Context& context) {
  Table table{"classes", "class", "", {}, {}, {}};
  table.columns.assign(ranking_figure_names.begin(), ranking_figure_names.end());
  table.columns.emplace_back("positives");
  for (const RankedClass& one : all) {
    context.check_stop();
    const RankingFigures figures = one.ranked.figures(levels);
    table.rows.push_back(classes[one.index]);
    table.values.insert(table.values.end(), figures.begin(), figures.end());
    table.values.push_back(static_cast<double>(one.ranked.positives()));
  }
  return table;
}

/// The classes that have curves, in their order.
std::vector<const RankedClass*> with_curves(const std::vector<RankedClass>& all,
                                            const Table& figures) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto area = [&](std::size_t k) { return figures.values[k * figures.columns.size()]; };
  std::ranges::stable_sort(order, [&](auto a, auto b) { return area(a) < area(b); });
  order.resize(std::min(order.size(), most_curves));
  std::ranges::sort(order);
  std::vector<const RankedClass*> chosen;
  chosen.reserve(order.size());
  for (const std::size_t k : order) chosen.push_back(&all[k]);
  return chosen;
}

void report_curves(const std::vector<const RankedClass*>& drawn, bool several,
                   std::span<const std::string> classes, Report& report, const Context& context) {
  const auto name = [&](const char* kind, const RankedClass& one) {
    return several ? std::string(kind) + "_" + classes[one.index] : std::string(kind);
  };
  for (const RankedClass* one : drawn) {
    context.check_stop();
    report.curve(one->ranked.roc(name("roc", *one)));
  }
  for (const RankedClass* one : drawn) {
    context.check_stop();
    report.curve(one->ranked.precision_recall(name("precision_recall", *one)));
  }
}

Declaration<Ranking> Ranking::declare() {
  using enum FigureUnit;
  using enum Better;
  Declaration<Ranking> declaration("evaluator/ranking",
                                   "ROC and precision-recall curves, their areas, and lift");
  declaration
      .documentation(
          "Ranks the test rows by the score of a class, the positive one, and asks how well its "
          "rows come before all others. With two classes `positive` names it; by default it is the "
          "second one in the order of the data's classes, the same in all folds and repeats. With "
          "more classes each is ranked against the rest, and the figures are the means over the "
          "classes that have test rows; `positive` ranks one class alone. Two classes: rows are "
          "ranked by how far the positive class's score exceeds the other's. More classes: by the "
          "class's score. Probabilities rank by their odds p / (1 - p), and where p is so near to "
          "1 that float32 rounds it, by those of the other classes.\n"
          "\n"
          "Figures and ties as in scikit-learn. auc: the area under the ROC curve, the share of "
          "the pairs of a positive and another row in which the positive one has the larger score; "
          "ties count half. average_precision: the sum over all thresholds of the gain in recall "
          "times the precision. precision_at_recall: the best precision with a recall of at least "
          "`at_recall`; recall_at_precision: the best recall with a precision of at least "
          "`at_precision`, 0 if no threshold has it. lift: the share of positive rows among the "
          "first `at_share` of the ranking, rounded to whole rows, divided by that among all rows; "
          "if rows tie for the last places, as many as fit count, on average.\n"
          "\n"
          "With more than 12 classes, the 12 with the smallest auc have curves in the report.\n"
          "\n" +
          intervals_documentation() +
          " A draw that lacks a class is judged by the remaining classes, and drawn again if none "
          "is left.\n"
          "\n"
          "Rows without a label are excluded, with a warning, and so is a class without test rows. "
          "If the only class to rank has no test rows, or has all, the run ends with a message.")
      .reference(
          "Fawcett, An introduction to ROC analysis, 2006; Efron, Nonparametric standard errors "
          "and confidence intervals, 1981")
      .complexity("n log n for n rows and each class, then bootstrap x classes x n")
      .random()
      .parameter("positive", &Ranking::positive_,
                 "the class to find; empty: with two classes the second, with more each in turn")
      .parameter("at_recall", &Ranking::at_recall_, "recall at which precision is read", above(0),
                 at_most(1))
      .parameter("at_precision", &Ranking::at_precision_, "precision at which recall is read",
                 above(0), at_most(1))
      .parameter("at_share", &Ranking::at_share_, "share of the rows at which lift is read",
                 above(0), at_most(1))
      .reports({"auc", "area under the ROC curve", share, higher, true})
      .reports({"average_precision", "area under the precision-recall curve", share, higher, true})
      .reports({"precision_at_recall", "best precision with at least the recall at_recall", share,
                higher})
      .reports({"recall_at_precision", "best recall with at least the precision at_precision",
                share, higher})
      .reports({"lift",
                "how many times more positive rows are among the first at_share than on average",
                plain, higher})
      .reports({"auc_low", "lower end of its confidence interval", share, higher})
      .reports({"auc_high", "upper end of its confidence interval", share, higher})
      .reports({"average_precision_low", "lower end of its confidence interval", share, higher})
      .reports({"average_precision_high", "upper end of its confidence interval", share, higher})
      .reports(known_rows_figures())
      .reports({"positives", "number of these that are of the positive class", count})
      .reports({"ranked_classes", "number of classes that the figures are means over", count})
      .reports({"classes.positives", "number of test rows of the class", count})
      .reports({"roc.false_positive_rate", "share of the other rows that are retrieved", share})
      .reports({"roc.true_positive_rate", "share of the positive rows that are retrieved", share})
      .reports({"roc_*.false_positive_rate", "share of the other rows that are retrieved", share})
      .reports({"roc_*.true_positive_rate", "share of the class's rows that are retrieved", share})
      .reports({"precision_recall.recall", "share of the positive rows that are retrieved", share})
      .reports(
          {"precision_recall.precision", "share of the retrieved rows that are positive", share})
      .reports({"precision_recall_*.recall", "share of the class's rows that are retrieved", share})
      .reports({"precision_recall_*.precision", "share of the retrieved rows that are the class's",
                share})
      .example(R"(
        points: {is: source/banana}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
        test:   {is: evaluator/ranking, at_recall: 0.95, bootstrap: 200, from: svm})");
  declare_bootstrap(declaration);
  return declaration;
}

void Ranking::check_scores(const AnnouncedScores& scores) const {
  if (!positive_.empty()) class_named("positive", positive_, scores.classes);
}

std::vector<std::size_t> Ranking::classes_to_rank(std::span<const std::string> classes) const {
  if (!positive_.empty()) return {class_named("positive", positive_, classes)};
  if (classes.size() == 2) return {1};
  std::vector<std::size_t> all(classes.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  return all;
}

std::vector<RankedClass> Ranking::ranked(const Results& test, const std::vector<std::size_t>& rows,
                                         Context& context) const {
  const std::vector<std::size_t> wanted = classes_to_rank(test.classes);
  check_memory(rows.size(), wanted.size(), context);
  std::vector<RankedClass> found;
  for (const std::size_t c : wanted) {
    context.check_stop();
    std::vector<bool> positive;
    positive.reserve(rows.size());
    for (const std::size_t i : rows) positive.push_back(test.labels[i] == std::int32_t(c));
    RankedRows ranked(ranking_scores(test, rows, c), positive);
    if (can_be_ranked(ranked)) {
      found.push_back({c, std::move(ranked)});
      continue;
    }
    const std::string problem =
        (ranked.positives() == 0 ? "no test row is of class '" : "all test rows are of class '") +
        test.classes[c] + "'";
    if (wanted.size() == 1)
      throw Error(problem + ", so there is nothing to rank; choose test rows of all classes");
    context.log(LogLevel::warning, problem + ", so it does not count in the means");
  }
  if (found.empty())
    throw Error(
        "all test rows are of one class, so there is nothing to rank; choose test rows of "
        "all classes");
  return found;
}

void Ranking::evaluate(const Results& test, Report& report, Context& context) const {
  const std::vector<std::size_t> rows = known_rows(test, report, context);
  const std::vector<RankedClass> all = ranked(test, rows, context);
  report.integer("ranked_classes", static_cast<std::int64_t>(all.size()));
  const Table table = class_table(all, levels(), test.classes, context);
  if (all.size() == 1) {
    report.text("positive", test.classes[all.front().index]);
    report.integer("positives", static_cast<std::int64_t>(all.front().ranked.positives()));
  } else {
    report.table(table);
  }
  const auto of_draw = [&](std::span<const std::uint32_t> counts) {
    return mean_figures(all, counts, levels(), context);
  };
  report_figures({ranking_figure_names.begin(), ranking_figure_names.end()},
                 {"auc", "average_precision"}, groups_of(test, rows), of_draw, report, context);
  report_curves(with_curves(all, table), all.size() > 1, test.classes, report, context);
}

}  // namespace

ComponentEntry declare_ranking() { return Ranking::declare().entry(); }

}  // namespace semblance::evaluators
