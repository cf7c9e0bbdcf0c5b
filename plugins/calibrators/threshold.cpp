// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "named_class.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/predicted_class.hpp"
#include "temperature.hpp"

namespace semblance::calibrators {
namespace {

/// A sample whose predicted class changes as one class's score increases, with all other scores
/// fixed.
struct Crossing {
  double shift = 0;    ///< added to the class's score: above it, the sample gets this class
  double before = 0;   ///< cost of the sample while it gets another class
  double after = 0;    ///< cost once it gets this one
  bool right = false;  ///< whether it is of this class
  double weight = 1;   ///< as how many rows it counts
};

/// The effect of a shift of one class's score.
struct Cut {
  double shift = 0;
  double cost = 0;
  double right = 0;  ///< samples of the class that get it
  double given = 0;  ///< rows that are given it
};

double precision(const Cut& cut) { return cut.given > 0 ? cut.right / cut.given : 0; }

/// All distinct shifts, ascending: midway between two crossings, and one below and above all of
/// them. Samples that cross at the same shift do so together.
std::vector<Cut> all_cuts(std::vector<Crossing> rows) {
  std::ranges::stable_sort(rows, {}, &Crossing::shift);
  Cut cut;
  for (const Crossing& row : rows) cut.cost += row.before;
  if (rows.empty()) return {cut};
  const double margin = std::max(1.0, rows.back().shift - rows.front().shift);
  cut.shift = std::min(0.0, rows.front().shift - margin);
  std::vector<Cut> cuts = {cut};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    cut.cost += rows[i].after - rows[i].before;
    cut.right += rows[i].right ? rows[i].weight : 0;
    cut.given += rows[i].weight;
    const bool last = i + 1 == rows.size();
    if (!last && rows[i + 1].shift == rows[i].shift) continue;
    cut.shift = last ? std::max(0.0, rows[i].shift + margin)
                     : rows[i].shift + (rows[i + 1].shift - rows[i].shift) / 2;
    // No shift is as good as any shift between the same two samples.
    if (!last && rows[i].shift < 0 && rows[i + 1].shift > 0) cut.shift = 0;
    cuts.push_back(cut);
  }
  return cuts;
}

/// The cut of least cost, of equal ones that nearest to no shift.
Cut cheapest(const std::vector<Cut>& cuts) {
  // Sums of costs in another order differ in their last digits.
  double least = cuts.front().cost;
  for (const Cut& cut : cuts) least = std::min(least, cut.cost);
  const double equal = least + 1e-9 * (1 + std::abs(least));
  const Cut* best = nullptr;
  for (const Cut& cut : cuts)
    if (cut.cost <= equal && (!best || std::abs(cut.shift) < std::abs(best->shift))) best = &cut;
  return *best;
}

/// The cut of largest precision among those with at least this recall for the class; ties go to the
/// larger recall, then to the smallest shift. `positives` is the number of samples of the class, at
/// least 1.
Cut most_precise(const std::vector<Cut>& cuts, double recall, double positives) {
  const auto worth = [](const Cut& cut) {
    return std::tuple(precision(cut), cut.right, -std::abs(cut.shift));
  };
  const Cut* best = nullptr;
  for (const Cut& cut : cuts)
    if (cut.right >= recall * positives * (1 - 1e-12) && (!best || worth(cut) > worth(*best)))
      best = &cut;
  return best ? *best : cuts.back();
}

class Threshold final : public Calibrator, public Exportable {
 public:
  static Declaration<Threshold> declare();
  Layout bind(const Layout& input) override;
  void check_parameters() const override;
  void check_scores(const AnnouncedScores& scores) const override;
  void fit(const HeldOutScores& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool gives_probabilities() const override { return false; }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// The cost of misclassifying the samples of each class.
  std::vector<double> costs_of(std::span<const std::string> classes) const;
  /// The crossings of class `c`, with the other classes' shifts fixed.
  std::vector<Crossing> crossings(const HeldOutScores& held_out, std::size_t c,
                                  std::span<const double> costs) const;
  void fit_costs(const HeldOutScores& held_out, std::span<const double> costs,
                 const Context& context);
  void fit_recall(const HeldOutScores& held_out, std::size_t c, std::span<const double> costs,
                  Context& context);
  void report_result(const HeldOutScores& held_out, std::span<const double> costs, Report& report,
                     Context& context) const;

  NamedValues costs_;
  double recall_ = 0;
  std::string of_;

  std::vector<double> shifts_;  ///< added to the score of each class
};

std::optional<double> cost_of(const NamedValues::mapped_type& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

double share(double part, double all) { return all > 0 ? part / all : 0; }

Declaration<Threshold> Threshold::declare() {
  using enum FigureUnit;
  using enum Better;
  return Declaration<Threshold>("calibrator/threshold",
                                "Moves the boundaries between classes for costs of errors, or for "
                                "the recall of a class")
      .documentation(
          "A number is added to the score of a class, chosen on the held-out rows, so that rows "
          "are assigned to it more or less readily. Its scores are not probabilities.\n"
          "\n"
          "`costs: {fraud: 10}` gives the cost of assigning a row of a class to another one, 1 for "
          "each class that is not named, and minimizes the mean cost. With two classes, and if one "
          "class is named, the result is the best possible on these rows; if several are named, "
          "one class after another is moved until no move lowers the cost. Without any, all errors "
          "cost the same: the boundaries are those with the fewest errors.\n"
          "\n"
          "`recall: 0.9` with `of: fraud` looks for the largest precision at which at least 90 % "
          "of the rows of that class are assigned to it; for new rows the share is about as large, "
          "but may be smaller.\n"
          "\n"
          "Among equally good thresholds the one nearest to the solver's is taken; it is midway "
          "between the scores of two rows.")
      .reference(
          "Elkan, The foundations of cost-sensitive learning, 2001 (which costs are consistent); "
          "Provost and Fawcett, Robust classification for imprecise environments, 2001")
      .takes_weights()
      .complexity("n log n for the n held-out rows; with several costs, for each class and pass")
      .parameter("costs", &Threshold::costs_,
                 "cost of assigning a row of a class to another one, by class; 1 for classes that "
                 "are not named")
      .parameter("recall", &Threshold::recall_,
                 "the share of the rows of the class 'of' that must be assigned to it; 0: 'costs' "
                 "is the goal",
                 at_least(0), at_most(1))
      .parameter("of", &Threshold::of_, "the class whose recall is asked for")
      .reports(
          {"threshold",
           "by how much the class's score must exceed the largest other; if one class is moved"})
      .reports({"held_out_cost", "mean cost of the held-out rows that it learned from", plain,
                lower, true})
      .reports({"held_out_cost_before", "the same for the solver's classes", plain, lower})
      .reports({"held_out_recall",
                "share of the held-out rows of the class that are assigned to it", share, higher,
                true})
      .reports({"held_out_precision", "share of the rows assigned to the class that belong to it",
                share, higher, true})
      .reports({"held_out_changed", "number of held-out rows whose class differs from the solver's",
                count})
      .reports({"shifts.shift", "what is added to the score"})
      .example(R"(
        points:    {is: source/rings, classes: 2, noise: 0.4}
        bases:     {is: basis/all, from: points}
        rbf:       {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:       {is: solver/linear_svm, C: 1, from: rbf}
        careful:   {is: calibrator/threshold, costs: {"1": 10}, from: svm}
        test:      {is: evaluator/classification, from: careful})");
}

Layout Threshold::bind(const Layout& input) {
  shifts_.resize(input.size());
  return input;
}

void Threshold::check_parameters() const {
  const bool wants_recall = recall_ > 0;
  if (!costs_.empty() && (wants_recall || !of_.empty()))
    throw Error("'costs' and 'recall' are two goals; give one of them");
  if (wants_recall && of_.empty()) throw Error("'recall' needs a class; add of: CLASS");
  if (!wants_recall && !of_.empty())
    throw Error("'of' names a class, but no goal for it; add recall: 0.9, for example");
  for (const auto& [name, value] : costs_) {
    const auto cost = cost_of(value);
    if (!cost || !(*cost > 0) || !std::isfinite(*cost))
      throw Error("the cost of '" + name + "' must be a number above 0");
  }
}

void Threshold::check_scores(const AnnouncedScores& scores) const {
  for (const auto& [name, value] : costs_) common::class_named("costs", name, scores.classes);
  if (!of_.empty()) common::class_named("of", of_, scores.classes);
  if (scores.classes.size() < 2)
    throw Error("there is one class only, so there is no boundary to move");
}

std::vector<double> Threshold::costs_of(std::span<const std::string> classes) const {
  std::vector<double> costs(classes.size(), 1);
  for (const auto& [name, value] : costs_)
    costs[common::class_named("costs", name, classes)] = cost_of(value).value();
  return costs;
}

std::vector<Crossing> Threshold::crossings(const HeldOutScores& held_out, std::size_t c,
                                           std::span<const double> costs) const {
  std::vector<Crossing> rows;
  rows.reserve(held_out.scores.rows);
  for (std::size_t i = 0; i < held_out.scores.rows; ++i) {
    const auto scores = held_out.scores.row_span(i);
    const auto label = static_cast<std::size_t>(held_out.labels[i]);
    double largest = -std::numeric_limits<double>::infinity();
    std::size_t other = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double score = double{scores[k]} + shifts_[k];
      if (k == c || score <= largest) continue;
      largest = score;
      other = k;
    }
    const double weight = held_out.weight(i);
    if (weight == 0) continue;
    rows.push_back({largest - double{scores[c]}, label == other ? 0 : weight * costs[label],
                    label == c ? 0 : weight * costs[label], label == c, weight});
  }
  return rows;
}

void Threshold::fit_costs(const HeldOutScores& held_out, std::span<const double> costs,
                          const Context& context) {
  constexpr int most_passes = 100;
  std::vector<std::size_t> moved;
  if (held_out.classes.size() == 2)
    moved = {1};
  else if (costs_.empty())
    for (std::size_t c = 1; c < held_out.classes.size(); ++c) moved.push_back(c);
  else
    for (const auto& [name, value] : costs_)
      moved.push_back(common::class_named("costs", name, held_out.classes));
  std::ranges::sort(moved);
  double cost = 0;
  for (std::size_t i = 0; i < held_out.scores.rows; ++i)
    if (predicted_class(held_out.scores.row_span(i)) != held_out.labels[i])
      cost += held_out.weight(i) * costs[static_cast<std::size_t>(held_out.labels[i])];
  for (int pass = 0; pass < most_passes; ++pass) {
    const double before = cost;
    for (const std::size_t c : moved) {
      context.check_stop();
      const Cut best = cheapest(all_cuts(crossings(held_out, c, costs)));
      if (best.cost >= cost - 1e-9 * (1 + cost)) continue;
      cost = best.cost;
      shifts_[c] = best.shift;
    }
    if (moved.size() == 1 || cost == before) return;
  }
}

void Threshold::fit_recall(const HeldOutScores& held_out, std::size_t c,
                           std::span<const double> costs, Context& context) {
  double positives = 0;
  for (std::size_t i = 0; i < held_out.labels.size(); ++i)
    positives += held_out.labels[i] == static_cast<std::int32_t>(c) ? held_out.weight(i) : 0;
  if (positives == 0)
    throw Error("no training row is of the class '" + of_ + "', so it has no recall");
  context.check_stop();
  shifts_[c] = most_precise(all_cuts(crossings(held_out, c, costs)), recall_, positives).shift;
}

void Threshold::fit(const HeldOutScores& held_out, Report& report, Context& context) {
  shifts_.assign(held_out.classes.size(), 0);
  const auto costs = costs_of(held_out.classes);
  if (of_.empty())
    fit_costs(held_out, costs, context);
  else
    fit_recall(held_out, common::class_named("of", of_, held_out.classes), costs, context);
  report_result(held_out, costs, report, context);
}

void Threshold::report_result(const HeldOutScores& held_out, std::span<const double> costs,
                              Report& report, Context& context) const {
  FloatMatrix after(held_out.scores.rows, held_out.scores.cols);
  apply(held_out.scores, after.view(), context);
  // The class of interest, whose samples are found more readily.
  const bool two = held_out.classes.size() == 2;
  const std::string named = !of_.empty()         ? of_
                            : costs_.size() == 1 ? costs_.begin()->first
                                                 : std::string();
  const std::size_t c = named.empty() ? held_out.classes.size()
                                      : common::class_named("costs", named, held_out.classes);
  double rows = 0, cost = 0, cost_before = 0, positives = 0, given = 0, right = 0;
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < after.rows; ++i) {
    const auto label = static_cast<std::size_t>(held_out.labels[i]);
    const auto now =
        static_cast<std::size_t>(predicted_class(std::as_const(after).view().row_span(i)));
    const auto before = static_cast<std::size_t>(predicted_class(held_out.scores.row_span(i)));
    const double weight = held_out.weight(i);
    rows += weight;
    cost += now == label ? 0 : weight * costs[label];
    cost_before += before == label ? 0 : weight * costs[label];
    positives += label == c ? weight : 0;
    given += now == c ? weight : 0;
    right += now == c && label == c ? weight : 0;
    changed += now != before;
  }
  if (of_.empty()) {
    report.number("held_out_cost", cost / rows);
    report.number("held_out_cost_before", cost_before / rows);
  }
  if (!named.empty()) {
    report.number("threshold", two ? shifts_[1 - c] - shifts_[c] : -shifts_[c]);
    report.number("held_out_recall", share(right, positives));
    report.number("held_out_precision", share(right, given));
  }
  report.integer("held_out_changed", changed);
  report.table({"shifts",
                "class",
                "",
                {held_out.classes.begin(), held_out.classes.end()},
                {"shift"},
                shifts_});
}

void Threshold::apply(MatrixView in, MutableMatrixView out, Context&) const {
  std::vector<double> sums(in.cols);
  for (std::size_t i = 0; i < in.rows; ++i) {
    for (std::size_t c = 0; c < in.cols; ++c) sums[c] = double{in.row_span(i)[c]} + shifts_[c];
    const double largest = *std::ranges::max_element(sums);
    const double most = largest - std::abs(largest) * float32_apart;
    for (std::size_t c = 0; c < in.cols; ++c)
      out.row(i)[c] = static_cast<float>(sums[c] < largest ? std::min(sums[c], most) : sums[c]);
  }
}

Formula::Value Threshold::write(Formula& formula, Formula::Value in) const {
  const auto sums =
      formula.add(formula.widen(in), formula.constant(std::span<const double>(shifts_)));
  const auto largest = formula.largest(sums);
  const auto most = formula.subtract(
      largest, formula.multiply(formula.absolute(largest), formula.number(float32_apart, largest)));
  return formula.narrow(formula.where_greater(largest, sums, formula.minimum(sums, most), sums));
}

void Threshold::save(StateWriter& state) const { state.doubles("shifts", shifts_); }

void Threshold::load(const StateReader& state, Context&) {
  const auto shifts = state.doubles("shifts");
  if (shifts.size() != shifts_.size())
    throw Error("the state has shifts for " + std::to_string(shifts.size()) + " classes, not " +
                std::to_string(shifts_.size()));
  if (!std::ranges::all_of(shifts, [](double s) { return std::isfinite(s); }))
    throw Error("the state has a shift that is not finite");
  shifts_ = shifts;
}

}  // namespace

ComponentEntry declare_threshold() { return Threshold::declare().entry(); }

}  // namespace semblance::calibrators
