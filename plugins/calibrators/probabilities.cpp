// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "probability_method.hpp"
#include "semblance/declaration.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance_numerics/probability_bins.hpp"
#include "temperature.hpp"

namespace semblance::calibrators {
namespace {

constexpr std::size_t bins = 10;

/// How good probabilities are, one row of them for each held-out row.
struct Quality {
  double error_rate = 0;
  double log_loss = 0;           ///< mean of -ln p of the true class, p at least 2^-52
  double calibration_error = 0;  ///< in 10 bins of equal width, for a sample's assigned class
};

FloatMatrix as_probabilities(const HeldOutScores& held_out) {
  FloatMatrix probabilities(held_out.scores);
  if (held_out.probabilities) return probabilities;
  for (std::size_t i = 0; i < probabilities.rows; ++i)
    scaled_softmax(held_out.scores.row_span(i), false, 1,
                   {probabilities.view().row(i), probabilities.cols});
  return probabilities;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

Quality quality_of(MatrixView probabilities, const HeldOutScores& held_out) {
  constexpr double least = least_probability;
  std::array<double, bins> said{}, happened{};
  Quality quality;
  double rows = 0;
  for (std::size_t i = 0; i < probabilities.rows; ++i) {
    const auto row = probabilities.row_span(i);
    const auto label = static_cast<std::size_t>(held_out.labels[i]);
    const double weight = held_out.weight(i);
    rows += weight;
    quality.log_loss -= weight * std::log(std::clamp(double{row[label]}, least, 1 - least));
    const auto best = static_cast<std::size_t>(predicted_class(row));
    const std::size_t bin = probability_bin(row[best], bins);
    said[bin] += weight * double{row[best]};
    happened[bin] += best == label ? weight : 0;
    quality.error_rate += best == label ? 0 : weight;
  }
  quality.log_loss /= rows;
  quality.error_rate /= rows;
  for (std::size_t b = 0; b < bins; ++b)
    quality.calibration_error += std::abs(said[b] - happened[b]) / rows;
  return quality;
}

/// Scores that are no numbers have no loss.
void report_if_it_exists(Report& report, const char* figure, double value) {
  if (!std::isnan(value)) report.number(figure, value);
}

/// The figures of report_quality().
std::vector<FigureInfo> quality_figures() {
  using enum FigureUnit;
  using enum Better;
  return {
      {"held_out_log_loss",
       "mean of -ln p of the true class, over the held-out rows that it learned from", plain, lower,
       true},
      {"held_out_log_loss_before", "the same for the scores as they are, by their softmax", plain,
       lower},
      {"held_out_calibration_error",
       "mean difference between probability and observed share, over the same rows, in 10 bins",
       share, lower, true},
      {"held_out_calibration_error_before", "the same for the scores as they are, by their softmax",
       share, lower},
      {"held_out_changed", "number of these rows whose class differs from the solver's", count}};
}

/// Compares the calibrated scores with the original ones: as probabilities, or by their softmax if
/// they are not probabilities. Warns if far more samples are wrong than before.
void report_quality(const HeldOutScores& held_out, MatrixView after, Report& report,
                    Context& context) {
  const Quality now = quality_of(after, held_out);
  const Quality before = quality_of(as_probabilities(held_out).view(), held_out);
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < after.rows; ++i)
    changed += predicted_class(after.row_span(i)) != predicted_class(held_out.scores.row_span(i));
  report_if_it_exists(report, "held_out_log_loss", now.log_loss);
  report_if_it_exists(report, "held_out_log_loss_before", before.log_loss);
  report_if_it_exists(report, "held_out_calibration_error", now.calibration_error);
  report_if_it_exists(report, "held_out_calibration_error_before", before.calibration_error);
  report.integer("held_out_changed", changed);
  if (now.error_rate > before.error_rate + 0.01 && now.error_rate > 1.2 * before.error_rate)
    context.log(LogLevel::warning,
                percent(now.error_rate) + " of the held-out rows are given a wrong class, and " +
                    percent(before.error_rate) +
                    " by the solver: its scores can only be compared within a row, but each class "
                    "is looked at alone; use method: temperature, which keeps the classes");
}

class Probabilities final : public Calibrator, public Exportable {
 public:
  static Declaration<Probabilities> declare() {
    return Declaration<Probabilities>("calibrator/probabilities",
                                      "Probabilities of the classes from a solver's scores")
        .documentation(
            "`method: sigmoid` (Platt): the probability of a class is 1 / (1 + exp(slope f + "
            "offset)) of its score f. Slope and offset are those of largest likelihood on the "
            "held-out rows, where a row of the class counts as one with the probability (N + 1) / "
            "(N + 2) and another as one with 1 / (M + 2), for N rows of the class and M others: so "
            "no probability becomes 0 or 1 where all rows are right. Where rows with a larger "
            "score are less likely to be of the class, all rows get its share, with a warning. It "
            "suits scores of large-margin solvers, whose distortion has about this form. A few "
            "hundred rows are enough.\n"
            "\n"
            "`method: isotonic`: the probability of a class is a function of its score that never "
            "falls: the one that is nearest to the held-out rows, in squared distance, 1 for rows "
            "of the class and 0 for others; between two pooled scores it is linear, outside of all "
            "scores constant. It assumes no form, so it needs a thousand rows or more. "
            "Probabilities of exactly 0 and 1 occur, for which the log loss of a row that is wrong "
            "is large.\n"
            "\n"
            "`method: temperature`: the softmax of the scores over one number T, the temperature, "
            "which makes the true classes of the held-out rows likeliest. Scores that are already "
            "probabilities are replaced by their logarithms. The predicted class stays that of the "
            "scores: a probability that float32 could not tell from the largest one is lowered by "
            "two of its steps. There is no offset: where one class's scores are too large compared "
            "with another's, as they are where classes differ much in size and large-margin "
            "solvers learn them one against the rest, sigmoids do better. Where all held-out rows "
            "are right, T is such that their mean probability is (n + 1) / (n + 2) for n rows, "
            "with a warning; where scores say nothing about the classes, all become about equally "
            "probable, also with a warning.\n"
            "\n"
            "With two classes, sigmoid and isotonic learn one function of the difference of their "
            "scores. With more, each class has its own, against all others, and the probabilities "
            "of a row are divided by their sum; where all of them are 0, the classes get equal "
            "probabilities, as in scikit-learn. The most probable class can then differ from that "
            "of the largest score: held_out_changed and changed_predictions count such rows. They "
            "do not suit solvers that learn all classes together, such as solver/ml3, whose scores "
            "can only be compared within a row; temperature does.")
        .reference(
            "Sigmoid: Platt, Probabilistic outputs for support vector machines and comparisons to "
            "regularized likelihood methods, 1999; Lin, Lin and Weng, A note on Platt's "
            "probabilistic outputs for support vector machines, 2007, algorithm 1. Isotonic: "
            "Zadrozny and Elkan, Transforming classifier scores into accurate multiclass "
            "probability estimates, 2002; Ayer et al., An empirical distribution function for "
            "sampling with incomplete information, 1955. Temperature: Guo, Pleiss, Sun and "
            "Weinberger, On calibration of modern neural networks, 2017, section 4.2")
        .gone({.written = "calibrator/platt",
               .since = "1.0",
               .advice = "write is: calibrator/probabilities, method: sigmoid"})
        .gone({.written = "calibrator/isotonic",
               .since = "1.0",
               .advice = "write is: calibrator/probabilities, method: isotonic"})
        .gone({.written = "calibrator/temperature",
               .since = "1.0",
               .advice = "write is: calibrator/probabilities, method: temperature"})
        .takes_weights()
        .complexity(
            "rows x classes for each of about 10 Newton steps (sigmoid) or 60 halvings of an "
            "interval (temperature); n log n for the n held-out rows of each class (isotonic)")
        .parameter("method", &Probabilities::method_,
                   "`sigmoid`: of each class's score; `isotonic`: any function of it that never "
                   "falls; `temperature`: the softmax of the scores over one number",
                   choices({"sigmoid", "isotonic", "temperature"}))
        .reports(quality_figures())
        .reports(
            {"temperature", "T: what scores are divided by", FigureUnit::plain, Better::none, true})
        .reports({"sigmoids.slope", "factor of the score"})
        .reports({"sigmoids.offset", "what is added to it"})
        .reports({"pools.corners", "number of corners of the function", FigureUnit::count})
        .example(R"(
        points:    {is: source/rings, classes: 3, noise: 0.3}
        bases:     {is: basis/all, from: points}
        rbf:       {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:       {is: solver/linear_svm, C: 1, from: rbf}
        calibrate: {is: calibrator/probabilities, from: svm}
        test:      {is: evaluator/calibration, from: calibrate})");
  }

  Layout bind(const Layout& input) override {
    classes_ = input.size();
    return input;
  }

  void fit(const HeldOutScores& held_out, Report& report, Context& context) override {
    learned_ = made();
    learned_->learn(held_out, report, context);
    FloatMatrix after(held_out.scores.rows, held_out.scores.cols);
    apply(held_out.scores, after.view(), context);
    report_quality(held_out, std::as_const(after).view(), report, context);
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) learned_->map(in.row_span(i), {out.row(i), out.cols});
  }

  void save(StateWriter& state) const override { learned_->save(state); }

  void load(const StateReader& state, Context&) override {
    auto read = made();
    read->load(state, classes_);
    learned_ = std::move(read);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    return learned_->write(formula, in);
  }

 private:
  std::unique_ptr<ProbabilityMethod> made() const {
    if (method_ == "isotonic") return make_isotonic();
    return method_ == "temperature" ? make_temperature() : make_sigmoid();
  }

  std::string method_ = "sigmoid";
  std::size_t classes_ = 0;
  std::unique_ptr<ProbabilityMethod> learned_;
};

}  // namespace

ComponentEntry declare_probabilities() { return Probabilities::declare().entry(); }

}  // namespace semblance::calibrators
