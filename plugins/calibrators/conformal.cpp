// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "conformal_sets.hpp"
#include "coverage_threshold.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/row_error.hpp"
#include "temperature.hpp"

namespace semblance::calibrators {
namespace {

/// `calibrator/conformal`: sets of classes that contain the true one as often as asked for.
class Conformal final : public Calibrator, public Exportable {
 public:
  static Declaration<Conformal> declare();
  Layout bind(const Layout& input) override;
  void check_parameters() const override;
  void check_scores(const AnnouncedScores& scores) const override;
  void fit(const HeldOutScores& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_within(by_column.empty() ? 0 : -1, in, out, context);
  }
  void apply_within(std::int32_t category, MatrixView in, MutableMatrixView out,
                    Context& context) const override;
  bool gives_probabilities() const override { return false; }
  bool gives_sets() const override { return true; }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  bool is_adaptive() const { return method_ == "adaptive"; }
  Strangeness strangeness() const;
  /// The place of a sample's threshold among those that are learned.
  std::size_t cell(std::size_t category, std::size_t label) const {
    return by_class_ ? category * classes_ + label : category;
  }
  void learn_temperature(const HeldOutScores& held_out, Context& context);
  std::vector<CoverageThreshold> learn_thresholds(const HeldOutScores& held_out,
                                                  const Context& context);
  void report_thresholds(const HeldOutScores& held_out, const std::vector<CoverageThreshold>& found,
                         Report& report, Context& context) const;
  void report_promise(const HeldOutScores& held_out, const std::vector<CoverageThreshold>& found,
                      Report& report, Context& context) const;
  void report_sets(const HeldOutScores& held_out, Report& report, Context& context) const;

  double coverage_ = 0.9;
  std::string method_ = "adaptive";
  bool by_class_ = false;
  bool randomized_ = true;
  double penalty_ = 0;
  std::int64_t free_ = 1;
  double given_temperature_ = 0;

  std::size_t classes_ = 0;
  std::vector<double> thresholds_;  ///< of strangeness, for each category and class
  double temperature_ = 1;
  bool of_probabilities_ = false;  ///< whether its input is already probabilities
  std::uint64_t salt_ = 0;
};

Declaration<Conformal> Conformal::declare() {
  using enum FigureUnit;
  using enum Better;
  return Declaration<Conformal>("calibrator/conformal",
                                "Sets of classes that contain the true class as often as asked for")
      .documentation(
          "A class is in the set of a row if its score is at least 0. The scores are no "
          "probabilities: each says how far the class is from the border of the set. The sets "
          "contain the true class for about the share `coverage` of all rows, however good the "
          "solver is; the better it is, the smaller they are.\n"
          "\n"
          "`method: adaptive` adds the probabilities of the classes from the largest on, and ends "
          "each set where the sum reaches a common threshold, so that uncertain rows get larger "
          "sets and coverage is about equal for easy and difficult rows. `penalty` makes every "
          "class after the first `free` ones harder to include, for smaller sets where there are "
          "many classes. `method: threshold` takes all classes with at least a certain "
          "probability: the smallest sets on average, but too small ones for difficult rows.\n"
          "\n"
          "`randomized` decides by chance whether the last class of an adaptive set stays in it, "
          "so that the coverage is exact. Without it no adaptive set is empty, but where the most "
          "probable class is right more often than `coverage`, more than that is covered. Chance "
          "is a hash of the row's probabilities and the seed: the same row always gets the same "
          "set. A set is empty where even the most probable class is too improbable.\n"
          "\n"
          "`by_class` asks for the coverage of each class on its own: a class's threshold is that "
          "of its own rows, so a rare class is covered as often as a frequent one. A class with "
          "fewer than coverage / (1 - coverage) rows (9 for 0.9) is in all sets, with a warning.\n"
          "\n"
          "`by_column` asks for the coverage of the rows of each value in a column on their own "
          "(Mondrian): the thresholds of a row are those of the held-out rows with its value, and "
          "with `by_class` those of its value and class. A row with a value that no training row "
          "has gets all classes.\n"
          "\n"
          "Guarantee: the threshold is the k-th smallest value of the n held-out rows, k = "
          "ceil(coverage (n + 1)). If the scores of the held-out rows and of a new row are "
          "exchangeable, its set contains the true class with a probability of at least "
          "`coverage`, on average over held-out and new rows; without equal values, of at most 1 / "
          "(n + 1) more. Held-out scores are those of solvers that have learned from the other "
          "folds, while new rows are scored by the one that has learned from all, which is a "
          "little better. So this holds approximately, for solvers that another fold of rows "
          "changes little; as a rule, a little more is covered. It holds neither for rows of "
          "another distribution nor for each row on its own.\n"
          "\n"
          "Weights are relative: with weights w, n is (sum w)^2 / sum w^2. If rows have groups "
          "that stay together in folds (`folds_by`), a group counts as one row, and what is said "
          "of a new row holds for one of a new group. With too few groups for the coverage, sets "
          "reach as far as any held-out row needs, with a warning, and `promised_coverage` says "
          "what that promises.\n"
          "\n"
          "Scores that are not probabilities become some by the softmax over a temperature, as in "
          "calibrator/probabilities. It is fitted to the same held-out rows, which changes the "
          "coverage by far less than the figures show; `temperature` sets it beforehand. The "
          "largest score stays that of the solver's class; with `by_class` it may be another's "
          "(changed_predictions).")
      .reference(
          "Vovk, Gammerman and Shafer, Algorithmic learning in a random world, 2005; Sadinle, Lei "
          "and Wasserman, Least ambiguous set-valued classifiers with bounded error levels, 2019; "
          "Romano, Sesia and Candes, Classification with valid and adaptive coverage, 2020; "
          "Angelopoulos, Bates, Malik and Jordan, Uncertainty sets for image classifiers using "
          "conformal prediction, 2021 (penalty); Barber, Candes, Ramdas and Tibshirani, Predictive "
          "inference with the jackknife+, 2021 (what folds do to the guarantee); Lee, Barber and "
          "Willett, Distribution-free inference with hierarchical data, 2023 (groups)")
      .takes_weights()
      .random()
      .complexity("n log n + n classes log(classes) for n rows")
      .parameter("coverage", &Conformal::coverage_,
                 "the share of rows whose set contains the true class", above(0), below(1))
      .parameter("method", &Conformal::method_,
                 "`adaptive`: equally good for easy and difficult rows; `threshold`: the smallest "
                 "sets",
                 choices({"adaptive", "threshold"}))
      .parameter("by_class", &Conformal::by_class_, "whether each class has its own threshold")
      .parameter("by_column", &Conformal::by_column, by_column_text)
      .parameter("randomized", &Conformal::randomized_,
                 "whether chance decides about the last class of an adaptive set")
      .parameter("penalty", &Conformal::penalty_,
                 "for adaptive sets: added for each class after the first `free` ones", at_least(0),
                 at_most(1000))
      .parameter("free", &Conformal::free_, "number of classes without a penalty", at_least(0))
      .parameter("temperature", &Conformal::given_temperature_,
                 "what scores are divided by that are not probabilities; 0: it is fitted",
                 at_least(0))
      .reports({"held_out_coverage", "share of held-out rows whose set has the true class", share,
                none, true})
      .reports({"promised_coverage", "the coverage that is promised", share})
      .reports({"held_out_size", "mean number of classes in their sets", plain, lower, true})
      .reports({"held_out_empty", "share of them with an empty set", share, lower})
      .reports({"temperature", "what the scores were divided by"})
      .reports({"always_included",
                "number of classes that are in all sets; with by_column of each value", count,
                lower})
      .reports({"thresholds.threshold", "how strange a class of the set may be"})
      .reports({"thresholds.rows", "number of held-out rows that it was found with", count})
      .example(R"(
        points: {is: source/rings, classes: 3, noise: 0.5, train: 600}
        bases:  {is: basis/random, count: 50, from: points}
        rbf:    {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        sets:   {is: calibrator/conformal, coverage: 0.9, from: svm}
        test:   {is: evaluator/coverage, from: sets})");
}

Layout Conformal::bind(const Layout& input) {
  classes_ = input.size();
  return input;
}

void Conformal::check_parameters() const {
  if (!is_adaptive() && penalty_ > 0)
    throw Error("'penalty' is for adaptive sets; omit it, or choose method: adaptive");
}

void Conformal::check_scores(const AnnouncedScores& scores) const {
  if (scores.classes.size() < 2)
    throw Error("there is one class only, so every set would be that class");
  if (scores.probabilities && given_temperature_ > 0)
    throw Error("'temperature' is for scores that are not probabilities, but those of '" +
                scores.node + "' are; omit it");
}

Strangeness Conformal::strangeness() const {
  return {is_adaptive(), randomized_, salt_, penalty_, static_cast<std::size_t>(free_)};
}

void Conformal::learn_temperature(const HeldOutScores& held_out, Context& context) {
  of_probabilities_ = held_out.probabilities;
  temperature_ = of_probabilities_ ? 1 : given_temperature_;
  if (temperature_ > 0) return;
  const FittedTemperature fitted = fit_temperature(held_out, context);
  temperature_ = fitted.temperature;
  if (fitted.end == FittedTemperature::End::hopeless)
    context.log(LogLevel::warning,
                "the scores of held-out rows say nothing about their classes, so the sets are "
                "large");
}

/// The probabilities that sets are made of.
void probabilities_of(std::span<const float> scores, bool probabilities, double temperature,
                      std::vector<float>& out) {
  out.assign(scores.begin(), scores.end());
  if (!probabilities) scaled_softmax(scores, false, temperature, out);
}

std::vector<CoverageThreshold> Conformal::learn_thresholds(const HeldOutScores& held_out,
                                                           const Context& context) {
  const std::size_t categories = held_out.categories.count();
  std::vector<std::vector<HeldOutValue>> values(by_class_ ? categories * classes_ : categories);
  std::vector<float> probabilities;
  std::vector<double> strange(classes_);
  for (std::size_t i = 0; i < held_out.scores.rows; ++i) {
    context.check_stop();
    if (held_out.weight(i) == 0) continue;
    probabilities_of(held_out.scores.row_span(i), of_probabilities_, temperature_, probabilities);
    strangeness().of(probabilities, strange);
    const auto label = static_cast<std::size_t>(held_out.labels[i]);
    if (std::isnan(strange[label]))
      throw RowError(RowError::Of::training, i, "a score of ",
                     " (counted from 0) is not a finite number, so no set can be learned from it; "
                     "check the rows that the solver was given");
    values[cell(held_out.categories.at(i), label)].push_back(
        {strange[label], held_out.weight(i), held_out.group(i)});
  }
  std::vector<CoverageThreshold> found;
  found.reserve(values.size());
  for (auto& of_class : values) found.push_back(coverage_threshold(std::move(of_class), coverage_));
  // All values are at most the largest, which includes the class always.
  thresholds_.clear();
  for (std::size_t category = 0; category < categories; ++category)
    for (std::size_t c = 0; c < classes_; ++c)
      thresholds_.push_back(
          std::min(found[cell(category, c)].value, strangeness().largest(classes_)));
  return found;
}

void Conformal::fit(const HeldOutScores& held_out, Report& report, Context& context) {
  salt_ = context.random().bits();
  learn_temperature(held_out, context);
  const auto found = learn_thresholds(held_out, context);
  report_promise(held_out, found, report, context);
  report_thresholds(held_out, found, report, context);
  report_sets(held_out, report, context);
}

/// Warns where there are too few held-out rows, of the first few cases.
void Conformal::report_promise(const HeldOutScores& held_out,
                               const std::vector<CoverageThreshold>& found, Report& report,
                               Context& context) const {
  constexpr std::size_t most_told = 5;
  Promise promise;
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::string of = held_out.categories.name(by_class_ ? k / classes_ : k);
    if (by_class_)
      of += (of.empty() ? "class '" : ", class '") + held_out.classes[k % classes_] + "'";
    promise.add(found[k], coverage_, of);
    const std::size_t told = promise.shortages.size();
    if (found[k].shortage(coverage_).empty() || told > most_told) continue;
    const std::string all =
        by_class_ ? ", so it is in all sets" : ", so all classes are in all sets";
    const std::string where = held_out.categories.of.empty() ? "" : " of such rows";
    context.log(LogLevel::warning, promise.shortages.back() +
                                       (std::isinf(found[k].value)
                                            ? all + where + "; give more rows, or lower 'coverage'"
                                            : std::string("; ") + more_groups));
  }
  if (promise.shortages.size() > most_told)
    context.log(LogLevel::warning, "so it is in " +
                                       std::to_string(promise.shortages.size() - most_told) +
                                       " more of " + std::to_string(found.size()) + " cases");
  report.number("promised_coverage", promise.coverage);
}

void Conformal::report_thresholds(const HeldOutScores& held_out,
                                  const std::vector<CoverageThreshold>& found, Report& report,
                                  Context& context) const {
  std::vector<double> rows(found.size());
  for (std::size_t i = 0; i < held_out.labels.size(); ++i)
    rows[cell(held_out.categories.at(i), static_cast<std::size_t>(held_out.labels[i]))] +=
        held_out.weight(i);
  Table table{"thresholds", "class", "", {}, {"threshold", "rows"}, {}};
  std::int64_t always = 0;
  for (std::size_t k = 0; k < thresholds_.size(); ++k) {
    const std::size_t category = k / classes_, c = k % classes_;
    const std::string name = held_out.categories.name(category);
    table.rows.push_back(name.empty() ? held_out.classes[c] : name + ", " + held_out.classes[c]);
    table.values.insert(table.values.end(), {thresholds_[k], rows[cell(category, c)]});
    always += thresholds_[k] >= strangeness().largest(classes_);
  }
  if (!of_probabilities_) report.number("temperature", temperature_);
  report.integer("always_included", always);
  report.table(table);
  if (always > 0 &&
      std::ranges::none_of(found, [](const auto& one) { return std::isinf(one.value); }))
    context.log(LogLevel::warning, std::to_string(always) + " of " +
                                       std::to_string(thresholds_.size()) +
                                       " classes are in all sets: the solver says too little "
                                       "about them");
}

void Conformal::report_sets(const HeldOutScores& held_out, Report& report, Context& context) const {
  FloatMatrix after(held_out.scores.rows, held_out.scores.cols);
  for (std::size_t i = 0; i < after.rows; ++i)
    apply_within(static_cast<std::int32_t>(held_out.categories.at(i)),
                 held_out.scores.rows_range(i, 1), after.view().rows_range(i, 1), context);
  double rows = 0, covered = 0, members = 0, empty = 0;
  for (std::size_t i = 0; i < after.rows; ++i) {
    const auto scores = std::as_const(after).view().row_span(i);
    const double weight = held_out.weight(i);
    const auto size = std::ranges::count_if(scores, [](float score) { return score >= 0; });
    rows += weight;
    covered += scores[static_cast<std::size_t>(held_out.labels[i])] >= 0 ? weight : 0;
    members += weight * static_cast<double>(size);
    empty += size == 0 ? weight : 0;
  }
  if (rows == 0) return;
  report.number("held_out_coverage", covered / rows);
  report.number("held_out_size", members / rows);
  report.number("held_out_empty", empty / rows);
}

void Conformal::apply_within(std::int32_t category, MatrixView in, MutableMatrixView out,
                             Context&) const {
  const Strangeness strange = strangeness();
  // Nothing is known of the errors of rows of a new category.
  std::vector<double> thresholds(classes_, strange.largest(classes_));
  if (category >= 0)
    for (std::size_t c = 0; c < classes_; ++c)
      thresholds[c] = thresholds_.at(static_cast<std::size_t>(category) * classes_ + c);
  std::vector<float> probabilities;
  std::vector<double> scores(in.cols);
  for (std::size_t i = 0; i < in.rows; ++i) {
    probabilities_of(in.row_span(i), of_probabilities_, temperature_, probabilities);
    strange.of(probabilities, scores);
    for (std::size_t c = 0; c < in.cols; ++c) scores[c] = thresholds[c] - scores[c];
    narrow_scores(scores, static_cast<std::size_t>(predicted_class(in.row_span(i))),
                  {out.row(i), out.cols});
  }
}

Formula::Value Conformal::write(Formula& formula, Formula::Value in) const {
  if (!by_column.empty()) throw Error(no_formula_by_column);
  const auto probabilities =
      of_probabilities_ ? in : scaled_softmax(formula, in, false, temperature_);
  const auto thresholds = formula.constant(std::span<const double>(thresholds_));
  return narrow_scores(formula,
                       formula.subtract(thresholds, strangeness().write(formula, probabilities)));
}

void Conformal::save(StateWriter& state) const {
  state.doubles("thresholds", thresholds_);
  state.number("temperature", temperature_);
  state.integer("of_probabilities", of_probabilities_ ? 1 : 0);
  state.integer("salt", static_cast<std::int64_t>(salt_));
}

void Conformal::load(const StateReader& state, Context&) {
  const auto thresholds = state.doubles("thresholds");
  if (thresholds.empty() || thresholds.size() % classes_ != 0 ||
      (by_column.empty() && thresholds.size() != classes_))
    throw Error("the state has thresholds for " + std::to_string(thresholds.size()) +
                " classes, not " + std::to_string(classes_));
  temperature_ = state.number("temperature");
  if (!std::isfinite(temperature_) || temperature_ <= 0 ||
      !std::ranges::all_of(thresholds, [](double t) { return std::isfinite(t); }))
    throw Error("the state's temperature or a threshold is unusable; train the model again");
  thresholds_.assign(thresholds.begin(), thresholds.end());
  of_probabilities_ = state.integer("of_probabilities") != 0;
  salt_ = static_cast<std::uint64_t>(state.integer("salt"));
}

}  // namespace

ComponentEntry declare_conformal() { return Conformal::declare().entry(); }

}  // namespace semblance::calibrators
