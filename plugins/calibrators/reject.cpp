// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "conformal_sets.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/row_error.hpp"

namespace semblance::calibrators {
namespace {

/// `calibrator/reject`: says nothing about the rows that the solver is least sure of.
class Reject final : public Calibrator, public Exportable {
 public:
  static Declaration<Reject> declare();
  void check_parameters() const override;
  void check_scores(const AnnouncedScores& scores) const override;
  void fit(const HeldOutScores& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool gives_probabilities() const override { return false; }
  bool gives_sets() const override { return true; }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// A held-out row.
  struct Judged {
    double confidence = 0;
    double weight = 1;
    bool right = false;
  };

  double confidence(std::span<const float> scores) const;
  std::vector<Judged> judged(const HeldOutScores& held_out) const;
  void choose_threshold(const std::vector<Judged>& rows);
  static Curve errors_by_share(const std::vector<Judged>& rows, double all, double wrong);
  void report_threshold(const std::vector<Judged>& rows, Report& report, Context& context) const;

  double share_ = usual_share;
  double error_ = 0;

  static constexpr double usual_share = 0.05;
  /// Above all confidences: every row is rejected. Learned states are finite.
  static constexpr double unreachable = 1e39;

  double threshold_ = 0;  ///< the smallest confidence of a row that is not rejected
  bool of_probabilities_ = false;
};

Declaration<Reject> Reject::declare() {
  using enum FigureUnit;
  using enum Better;
  return Declaration<Reject>("calibrator/reject",
                             "Rejects the rows that the solver is least sure of")
      .documentation(
          "A row gets the solver's class, or none: the set of a rejected row is empty, that of any "
          "other row is its class. A class is in the set if its score is at least 0; the scores "
          "are no probabilities. The column `class` still names the class with the largest score.\n"
          "\n"
          "A row is rejected if its confidence is below a threshold. The confidence is the largest "
          "probability (Chow's rule) or, where scores are no probabilities, the largest score "
          "minus the second largest. `share: 0.05` rejects at most 5 % of the held-out rows: about "
          "as many of new rows like them. `error: 0.01` rejects as few as possible so that at most "
          "1 % of the other held-out rows are misclassified; the error of new rows is about as "
          "large, but may be larger, because the threshold was chosen on rows whose errors it "
          "knows. Rows of equal confidence are treated equally.\n"
          "\n"
          "evaluator/coverage shows what is left: `empty_share` is the share of rejected rows, "
          "`single_accuracy` the accuracy of the others. The curve `error_by_share` is over all "
          "shares.")
      .reference(
          "Chow, On optimum recognition error and reject tradeoff, 1970; El-Yaniv and Wiener, On "
          "the foundations of noise-free selective classification, 2010 (error against coverage)")
      .takes_weights()
      .complexity("n log n for the n held-out rows")
      .parameter("share", &Reject::share_, "the share of rows to reject", at_least(0), below(1))
      .parameter("error", &Reject::error_,
                 "the error wanted of the rows that are not rejected; 0: 'share' is the goal",
                 at_least(0), below(1))
      .reports({"threshold", "the smallest confidence of a row that is not rejected"})
      .reports(
          {"held_out_rejected", "share of the held-out rows that are rejected", share, lower, true})
      .reports({"held_out_error", "error of the held-out rows that are not rejected", share, lower,
                true})
      .reports({"held_out_error_before", "error of all held-out rows", share, lower})
      .reports({"error_by_share", "error of the rows that are left, by the share rejected"})
      .example(R"(
        points: {is: source/rings, classes: 3, noise: 0.4, train: 600}
        bases:  {is: basis/random, count: 50, from: points}
        rbf:    {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        sure:   {is: calibrator/reject, share: 0.1, from: svm}
        test:   {is: evaluator/coverage, from: sure})");
}

void Reject::check_parameters() const {
  if (error_ > 0 && share_ != usual_share)
    throw Error("'share' and 'error' are two goals; give one of them");
}

void Reject::check_scores(const AnnouncedScores& scores) const {
  if (scores.classes.size() < 2)
    throw Error("there is one class only, so no row is more certain than another");
}

/// NaN if a score is.
double Reject::confidence(std::span<const float> scores) const {
  double largest = -std::numeric_limits<double>::infinity(), second = largest;
  for (const float score : scores) {
    if (std::isnan(score)) return std::numeric_limits<double>::quiet_NaN();
    second = std::max(second, std::min(largest, double{score}));
    largest = std::max(largest, double{score});
  }
  return of_probabilities_ ? largest : largest - second;
}

/// The rows with a weight, the most confident ones first.
std::vector<Reject::Judged> Reject::judged(const HeldOutScores& held_out) const {
  std::vector<Judged> rows;
  for (std::size_t i = 0; i < held_out.scores.rows; ++i) {
    const auto scores = held_out.scores.row_span(i);
    const double weight = held_out.weight(i), sure = confidence(scores);
    if (weight == 0) continue;
    if (std::isnan(sure))
      throw RowError(RowError::Of::training, i, "a score of ",
                     " (counted from 0) is not a finite number, so no confidence can be learned "
                     "from it; check the rows that the solver was given");
    rows.push_back({sure, weight, predicted_class(scores) == held_out.labels[i]});
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Judged::confidence);
  return rows;
}

/// The threshold that meets the goal with the fewest rejected rows or, for a share, with the most.
void Reject::choose_threshold(const std::vector<Judged>& rows) {
  constexpr double rounding = 1e-12;
  double all = 0, kept = 0, wrong = 0;
  for (const Judged& row : rows) all += row.weight;
  threshold_ = unreachable;
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    for (; end < rows.size() && rows[end].confidence == rows[first].confidence; ++end) {
      kept += rows[end].weight;
      wrong += rows[end].right ? 0 : rows[end].weight;
    }
    if (error_ > 0) {
      if (wrong <= error_ * kept * (1 + rounding)) threshold_ = rows[first].confidence;
    } else if (all - kept <= (share_ + rounding) * all) {
      threshold_ = rows[first].confidence;
      return;
    }
  }
}

void Reject::fit(const HeldOutScores& held_out, Report& report, Context& context) {
  of_probabilities_ = held_out.probabilities;
  const auto rows = judged(held_out);
  context.check_stop();
  choose_threshold(rows);
  // A share of 0 rejects no new row either.
  if (error_ == 0 && share_ == 0) threshold_ = 0;
  report_threshold(rows, report, context);
}

/// The error of the rows that are left, at distances in which a chart can show it.
Curve Reject::errors_by_share(const std::vector<Judged>& rows, double all, double wrong) {
  constexpr double step = 1.0 / 256;
  Curve curve{"error_by_share", "share rejected", "error of the others", {0}, {wrong / all}};
  double left = all;
  for (std::size_t i = rows.size(); i > 1; --i) {
    left -= rows[i - 1].weight;
    wrong -= rows[i - 1].right ? 0 : rows[i - 1].weight;
    if (rows[i - 2].confidence == rows[i - 1].confidence ||
        (all - left) / all < curve.x.back() + step)
      continue;
    curve.x.push_back((all - left) / all);
    curve.y.push_back(wrong / left);
  }
  return curve;
}

void Reject::report_threshold(const std::vector<Judged>& rows, Report& report,
                              Context& context) const {
  double all = 0, wrong = 0, kept = 0, wrong_kept = 0;
  for (const Judged& row : rows) {
    all += row.weight;
    wrong += row.right ? 0 : row.weight;
    if (row.confidence < threshold_) continue;
    kept += row.weight;
    wrong_kept += row.right ? 0 : row.weight;
  }
  if (all == 0) return;
  report.number("threshold", threshold_);
  report.number("held_out_rejected", (all - kept) / all);
  if (kept > 0) report.number("held_out_error", wrong_kept / kept);
  report.number("held_out_error_before", wrong / all);
  report.curve(errors_by_share(rows, all, wrong));
  if (threshold_ == unreachable)
    context.log(LogLevel::warning,
                "all rows are rejected: even among the held-out rows that the solver is most sure "
                "of, more than this error are misclassified; raise 'error', or improve the solver");
}

void Reject::apply(MatrixView in, MutableMatrixView out, Context&) const {
  // Classes as probable as the row's own are not in its set.
  const double barely = std::nextafter(0.0, -1.0);
  constexpr double least = std::numeric_limits<float>::lowest();
  std::vector<double> scores(in.cols);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const auto given = in.row_span(i);
    const double margin = std::max(confidence(given) - threshold_, least / 2);
    const auto first = static_cast<std::size_t>(predicted_class(given));
    for (std::size_t c = 0; c < in.cols; ++c)
      scores[c] =
          std::max(std::min(margin, barely) + (double{given[c]} - double{given[first]}), least);
    scores[first] = margin;
    if (std::isnan(margin)) std::ranges::fill(scores, margin);
    narrow_scores(scores, first, {out.row(i), out.cols});
  }
}

Formula::Value Reject::write(Formula& formula, Formula::Value in) const {
  const auto scores = formula.widen(in), largest = formula.largest(scores);
  constexpr double least = std::numeric_limits<float>::lowest();
  const auto lowest = formula.number(least, scores), zero = formula.number(0, scores);
  auto confidence = largest;
  if (!of_probabilities_) {
    const auto one = formula.number(1, scores);
    const auto others = formula.largest(formula.where_greater(largest, scores, scores, lowest));
    const auto firsts = formula.sum(formula.where_greater(largest, scores, zero, one));
    const auto second = formula.where_greater(firsts, one, largest, others);
    confidence = formula.subtract(largest, second);
  }
  const auto margin =
      formula.maximum(formula.subtract(confidence, formula.number(threshold_, confidence)),
                      formula.number(least / 2, confidence));
  const auto barely = formula.number(std::nextafter(0.0, -1.0), margin);
  const auto others = formula.maximum(
      formula.add(formula.minimum(margin, barely), formula.subtract(scores, largest)), lowest);
  return narrow_scores(formula, formula.where_greater(largest, scores, others, margin));
}

void Reject::save(StateWriter& state) const {
  state.number("threshold", threshold_);
  state.integer("of_probabilities", of_probabilities_ ? 1 : 0);
}

void Reject::load(const StateReader& state, Context&) {
  const double threshold = state.number("threshold");
  if (!(threshold >= 0)) throw Error("the state's threshold is unusable; train the model again");
  threshold_ = threshold;
  of_probabilities_ = state.integer("of_probabilities") != 0;
}

}  // namespace

ComponentEntry declare_reject() { return Reject::declare().entry(); }

}  // namespace semblance::calibrators
