// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
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

/// The test samples whose class is known, or the usual and the artificial ones.
struct JudgedScores {
  std::vector<double> unusual;  ///< the larger the more unusual
  std::vector<bool> novel;
  std::vector<std::size_t> labels;
  std::vector<std::int32_t> groups;  ///< -1: unknown
};

/// `evaluator/novelty`: how well novel samples are distinguished from usual ones.
class Novelty final : public EvaluatorOf<PortType::novelty>, public ReportsIntervals {
 public:
  static Declaration<Novelty> declare();
  void check_parameters() const override;
  Needs needs() const override { return {.probes = artificial_}; }
  FloatMatrix probes(const Dataset& data, Context& context) const override;
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Results& test, Report& report, Context& context) const override;

 private:
  /// Whether the samples of each class are novel.
  std::vector<bool> novel_classes(std::span<const std::string> classes) const;
  /// The test samples that artificial rows are made of and compared with: the usual ones, or all if
  /// no class is named.
  std::vector<std::size_t> usual_rows(std::span<const std::int32_t> labels,
                                      std::span<const std::string> classes) const;
  JudgedScores with_artificial(const Results& test) const;

  std::string normal_;
  std::string novel_;
  bool artificial_ = false;
  double expected_ = 0;
};

constexpr std::size_t most_artificial = 10'000;

/// The names of the figures, in the order used everywhere.
constexpr std::array novelty_figure_names = {"auc",
                                             "average_precision",
                                             "precision_at_expected",
                                             "rejected_normal",
                                             "rejected_novel",
                                             "false_discoveries"};

JudgedScores judged_scores(const Results& test, const std::vector<bool>& novel) {
  JudgedScores judged;
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const double score{test.outputs.row_span(i)[0]};
    if (test.labels[i] < 0) continue;
    judged.labels.push_back(static_cast<std::size_t>(test.labels[i]));
    judged.unusual.push_back(-score);
    judged.novel.push_back(novel.at(judged.labels.back()));
    judged.groups.push_back(test.group(i));
  }
  if (judged.labels.empty())
    throw Error("no test row has a label; only labelled rows can be evaluated");
  const auto count = std::ranges::count(judged.novel, true);
  if (count == 0 || static_cast<std::size_t>(count) == judged.novel.size()) {
    const std::string lacking = count == 0 ? "novel" : "normal";
    throw Error("no test row is " + lacking +
                ", so there is nothing to distinguish; choose test rows of both kinds, and no more "
                "folds than there are " +
                lacking + " rows");
  }
  return judged;
}

/// A sample is rejected if its score is below 0.
bool is_rejected(double unusual) { return unusual > 0; }

/// The figures where sample i counts `counts[i]` times; nothing if one of the kinds is missing.
std::optional<std::vector<double>> figures_of(const RankedRows& ranked, const JudgedScores& judged,
                                              double expected,
                                              std::span<const std::uint32_t> counts) {
  if (!ranked.defined(counts)) return std::nullopt;
  double rows[2] = {0, 0}, rejected[2] = {0, 0};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    rows[judged.novel[i]] += counts[i];
    rejected[judged.novel[i]] += is_rejected(judged.unusual[i]) ? counts[i] : 0;
  }
  const double share = rows[1] / (rows[0] + rows[1]);
  RankingLevels levels;
  levels.share = expected > 0 ? expected : share;
  const auto [auc, average_precision, at_recall, at_precision, lift] =
      ranked.figures(counts, levels);
  const double discovered = rejected[0] + rejected[1];
  return std::vector{auc,
                     average_precision,
                     lift * share,
                     rejected[0] / rows[0],
                     rejected[1] / rows[1],
                     discovered > 0 ? rejected[0] / discovered : 0};
}

Table novelty_class_table(const JudgedScores& judged, const std::vector<bool>& novel,
                          std::span<const std::string> classes) {
  std::vector<double> rows(classes.size()), rejected(classes.size());
  for (std::size_t i = 0; i < judged.labels.size(); ++i) {
    ++rows[judged.labels[i]];
    rejected[judged.labels[i]] += is_rejected(judged.unusual[i]);
  }
  Table table{"classes", "class", "", {}, {"novel", "rejected", "rows"}, {}};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (rows[c] == 0) continue;
    table.rows.push_back(classes[c]);
    table.values.insert(table.values.end(), {novel[c] ? 1.0 : 0.0, rejected[c] / rows[c], rows[c]});
  }
  return table;
}

/// The last of the columns from `first` on that belong together: those of one category.
std::size_t end_of_category(std::size_t first, std::size_t columns,
                            std::span<const std::string> names) {
  if (names.size() != columns) return first + 1;
  const std::size_t equals = names[first].find('=');
  std::size_t end = first + 1;
  while (equals != std::string::npos && end < columns &&
         names[end].starts_with(names[first].substr(0, equals + 1)))
    ++end;
  return end;
}

/// Shuffles each column by itself; columns of one category together.
void shuffle_columns(FloatMatrix& rows, std::span<const std::string> names, Random random) {
  for (std::size_t first = 0, end = 0; first < rows.cols; first = end) {
    end = end_of_category(first, rows.cols, names);
    for (std::size_t i = rows.rows; i > 1; --i) {
      float* const a = rows.view().row(i - 1);
      float* const b = rows.view().row(random.below(i));
      std::swap_ranges(a + first, a + end, b + first);
    }
  }
}

Declaration<Novelty> Novelty::declare() {
  using enum FigureUnit;
  using enum Better;
  Declaration<Novelty> declaration("evaluator/novelty",
                                   "How well a novelty detector recognizes the rows of classes "
                                   "that are novel");
  declaration
      .documentation(
          "`normal` names the class whose rows are usual; those of all other classes are novel. "
          "`novel` names the only novel class instead. Without either the data must have two "
          "classes, and the first in their order is normal.\n"
          "\n"
          "auc is the share of the pairs of a novel and a normal row in which the novel one has "
          "the smaller score; ties count half. average_precision is the sum over all thresholds of "
          "the gain in recall of novel rows times the precision. precision_at_expected is the "
          "share of novel rows among the most unusual rows, as many of them as are `expected` to "
          "be novel, rounded to whole rows; by default as many as are novel. If rows tie for the "
          "last places, as many as fit count, on average.\n"
          "\n"
          "Three figures judge the detector's threshold: a row is rejected if its score is below "
          "0. rejected_normal is the share of the normal rows that are rejected (false alarms), "
          "rejected_novel that of the novel rows (the power), false_discoveries the share of "
          "normal rows among the rejected ones (0 if none is). The table `classes` has the share "
          "rejected of each class.\n"
          "\n"
          "With `artificial` no labels are needed: the usual test rows, or, if neither `normal` "
          "nor `novel` is given, all test rows, are compared with as many artificial ones, at most "
          "10,000, that count as novel. Their values are those of the test rows, but each column "
          "is shuffled by itself (those of one category together), so that only the combination is "
          "unusual. A detector with an auc of 0.5 has learned nothing about how columns go "
          "together. The others find rows that break with it; whether the rows that matter do is "
          "not known. rejected_normal needs no such assumption: it is the share of held-out rows "
          "that are called novel.\n"
          "\n" +
          intervals_documentation() +
          " A draw that lacks novel or normal rows is drawn again. An artificial row is of no "
          "group. Rows without a label are excluded, with a warning.")
      .reference(
          "Fawcett, An introduction to ROC analysis, 2006; Campos et al., On the evaluation of "
          "unsupervised outlier detection, 2016 (precision among the first n); Steinwart, Hush and "
          "Scovel, A classification framework for anomaly detection, 2005 (artificial rows)")
      .complexity("(1 + bootstrap) x n + n log n for n rows")
      .random()
      .parameter("normal", &Novelty::normal_,
                 "the usual class; empty: all but `novel`, or of two classes the first")
      .parameter("novel", &Novelty::novel_, "the novel class; empty: all but the usual one")
      .parameter("artificial", &Novelty::artificial_,
                 "compare usual test rows with rows of shuffled columns instead of labelled ones")
      .parameter("expected", &Novelty::expected_,
                 "share of the rows at which precision is read; 0: the share of novel test rows",
                 at_least(0), at_most(1))
      .reports({"auc", "share of pairs in which the novel row is the more unusual one", share,
                higher, true})
      .reports({"average_precision", "area under the precision-recall curve of novel rows", share,
                higher, true})
      .reports({"precision_at_expected",
                "share of novel rows among the most unusual, as many as are expected", share,
                higher})
      .reports(
          {"rejected_normal", "share of the normal rows with a score below 0", share, lower, true})
      .reports(
          {"rejected_novel", "share of the novel rows with a score below 0", share, higher, true})
      .reports(
          {"false_discoveries", "share of the rejected rows that are normal", share, lower, true})
      .reports({"auc_low", "lower end of its confidence interval", share, higher})
      .reports({"auc_high", "upper end of its confidence interval", share, higher})
      .reports(known_rows_figures())
      .reports({"novel_rows", "number of these that are novel", count})
      .reports({"classes.novel", "1 for a novel class, 0 for a normal one", count})
      .reports({"classes.rejected", "share of the class's rows with a score below 0", share})
      .reports({"classes.rows", "number of test rows of the class", count})
      .reports({"roc.false_positive_rate", "share of the normal rows that are retrieved", share})
      .reports({"roc.true_positive_rate", "share of the novel rows that are retrieved", share})
      .reports({"precision_recall.recall", "share of the novel rows that are retrieved", share})
      .reports({"precision_recall.precision", "share of the retrieved rows that are novel", share})
      .example(R"(
        points: {is: source/clusters, classes: 3, train: 300, test: 300}
        svm:    {is: solver/one_class_svm, kernel: {is: similarity/rbf, gamma: 0.5}, normal: "1", from: points}
        test:   {is: evaluator/novelty, normal: "1", from: svm})");
  declare_bootstrap(declaration);
  return declaration;
}

void Novelty::check_parameters() const {
  if (!normal_.empty() && !novel_.empty())
    throw Error("'normal' and 'novel' both say which classes are novel; give one of them");
}

void Novelty::check_scores(const AnnouncedScores& scores) const {
  if (artificial_)
    usual_rows({}, scores.classes);
  else
    novel_classes(scores.classes);
}

std::vector<bool> Novelty::novel_classes(std::span<const std::string> classes) const {
  if (classes.size() < 2)
    throw Error(classes.empty()
                    ? "it judges by classes, but the data have none; give the rows "
                      "labels, for example those of test rows known to be novel"
                    : "there is one class only, so no row is novel; add rows of another "
                      "class");
  if (!novel_.empty()) {
    std::vector<bool> novel(classes.size(), false);
    novel[class_named("novel", novel_, classes)] = true;
    return novel;
  }
  std::size_t usual = 0;
  if (!normal_.empty())
    usual = class_named("normal", normal_, classes);
  else if (classes.size() > 2)
    throw Error("there are " + std::to_string(classes.size()) +
                " classes; name the usual one: add normal: CLASS");
  std::vector<bool> novel(classes.size(), true);
  novel[usual] = false;
  return novel;
}

std::vector<std::size_t> Novelty::usual_rows(std::span<const std::int32_t> labels,
                                             std::span<const std::string> classes) const {
  const bool all = normal_.empty() && novel_.empty();
  const std::vector<bool> novel = all ? std::vector<bool>() : novel_classes(classes);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (all || (labels[i] >= 0 && !novel[static_cast<std::size_t>(labels[i])])) rows.push_back(i);
  return rows;
}

FloatMatrix Novelty::probes(const Dataset& data, Context& context) const {
  const Outline& outline = data.outline();
  if (outline.layout.kind != LayoutKind::vector)
    throw Error("artificial rows are made of the columns of a table, but these are " +
                describe(outline.layout) + "; name the novel class instead");
  const std::size_t first = first_scored_row(data);
  std::vector<std::size_t> from = usual_rows(data.labels().subspan(first), outline.classes);
  Random random = context.random();
  random.shuffle(std::span(from));
  from.resize(std::min(from.size(), most_artificial));
  const std::size_t bytes = from.size() * outline.layout.size() * sizeof(float);
  if (bytes > context.memory_budget())
    throw MemoryError(std::to_string(from.size()) +
                      " artificial rows do not fit the memory budget; raise --memory");
  FloatMatrix rows(from.size(), outline.layout.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    data.read(first + from[i], rows.view().rows_range(i, 1));
  shuffle_columns(rows, outline.columns, random);
  return rows;
}

JudgedScores Novelty::with_artificial(const Results& test) const {
  JudgedScores judged;
  const auto add = [&](double score, bool novel, std::int32_t group) {
    judged.unusual.push_back(-score);
    judged.novel.push_back(novel);
    judged.labels.push_back(novel ? 1 : 0);
    judged.groups.push_back(group);
  };
  for (const std::size_t i : usual_rows(test.labels, test.classes))
    add(double{test.outputs.row_span(i)[0]}, false, test.group(i));
  if (judged.labels.empty()) throw Error("no test row is normal, so there is nothing to judge");
  for (std::size_t i = 0; i < test.probe_scores.rows; ++i)
    add(double{test.probe_scores.row_span(i)[0]}, true, -1);
  return judged;
}

void Novelty::evaluate(const Results& test, Report& report, Context& context) const {
  const std::vector<bool> novel =
      artificial_ ? std::vector<bool>{false, true} : novel_classes(test.classes);
  const JudgedScores judged = artificial_ ? with_artificial(test) : judged_scores(test, novel);
  const std::size_t rows = judged.labels.size();
  if (artificial_)
    report.integer("rows", static_cast<std::int64_t>(rows));
  else
    report_known_rows(rows, test.labels.size(), "have no label", report, context);
  report.integer("novel_rows", std::ranges::count(judged.novel, true));
  context.check_stop();
  const RankedRows ranked(judged.unusual, judged.novel);
  const auto of_draw = [&](std::span<const std::uint32_t> counts) {
    return figures_of(ranked, judged, expected_, counts);
  };
  const std::vector<std::string> kinds = {"test rows", "artificial rows"};
  report.table(novelty_class_table(judged, novel, artificial_ ? kinds : test.classes));
  report_figures({novelty_figure_names.begin(), novelty_figure_names.end()}, {"auc"}, judged.groups,
                 of_draw, report, context);
  report.curve(ranked.roc("roc"));
  report.curve(ranked.precision_recall("precision_recall"));
}

}  // namespace

ComponentEntry declare_novelty() { return Novelty::declare().entry(); }

}  // namespace semblance::evaluators
