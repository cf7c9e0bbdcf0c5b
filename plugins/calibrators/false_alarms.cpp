// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <vector>

#include "conformal_sets.hpp"
#include "coverage_threshold.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"

namespace semblance::calibrators {
namespace {

/// `calibrator/false_alarms`: moves the threshold of a novelty detector so that a chosen share of
/// usual samples is taken for novel.
class FalseAlarms final : public NoveltyCalibrator, public Exportable {
 public:
  static Declaration<FalseAlarms> declare() {
    using enum FigureUnit;
    using enum Better;
    return Declaration<FalseAlarms>(
               "calibrator/false_alarms",
               "Moves a novelty detector's threshold to a chosen share of false alarms")
        .documentation(
            "A score becomes the detector's score minus a threshold: at least 0 for a usual row, "
            "below 0 for a novel one. The order of rows stays as it was. The threshold is learned "
            "from scores of training rows that the detector has not learned from, so `share` holds "
            "for new rows, while the `nu` of a one-class machine bounds the share of its own "
            "training rows. If the detector learns from one class (`normal`), held-out rows of "
            "other classes do not count.\n"
            "\n"
            "Guarantee: the threshold is the k-th smallest of n held-out scores, k = floor(share "
            "(n + 1)). If the scores of held-out rows and of a new, usual row are exchangeable, "
            "the new row is taken for novel with a probability of at most `share`. Held-out scores "
            "come from detectors that have learned from the other folds, those of new rows from "
            "one that has learned from all rows, so this holds approximately. With fewer than 1 / "
            "share - 1 rows (19 for 0.05) nothing is novel, with a warning, and a score s becomes "
            "1 + s, or 1 / (1 - s) if it is negative. What calibrator/conformal says about weights "
            "and groups holds here, too.")
        .reference(
            "Laxhammar and Falkman, Conformal prediction for distribution-independent anomaly "
            "detection in streaming vessel data, 2010; Bates, Candes, Lei, Romano and Sesia, "
            "Testing for outliers with conformal p-values, 2023")
        .takes_weights()
        .complexity("n log n for the n held-out rows")
        .parameter("share", &FalseAlarms::share_,
                   "the share of usual rows that are taken for novel", above(0), below(1))
        .reports({"threshold", "the smallest score, before the calibrator, of a usual row"})
        .reports({"held_out_rows", "number of held-out rows that it learned from", count})
        .reports({"promised_share", "the share of false alarms that is promised", share})
        .reports({"held_out_novel", "share of them that is taken for novel", share, lower, true})
        .example(R"(
        points: {is: source/clusters, classes: 3, train: 600, test: 600}
        svm:    {is: solver/one_class_svm, normal: "1", from: points}
        alarm:  {is: calibrator/false_alarms, share: 0.05, from: svm}
        test:   {is: evaluator/novelty, normal: "1", from: alarm})");
  }

  void fit(const HeldOutNovelty& held_out, Report& report, Context& context) override {
    std::vector<HeldOutValue> unusual = scores_of(held_out, "threshold");
    double all = 0, novel = 0;
    for (HeldOutValue& one : unusual) {
      one.value = -one.value;
      all += one.weight;
    }
    context.check_stop();
    const CoverageThreshold found = coverage_threshold(unusual, 1 - share_);
    threshold_ = std::isinf(found.value) ? lowest : -found.value;
    for (const HeldOutValue& one : unusual) novel += -one.value < threshold_ ? one.weight : 0;
    report.number("threshold", threshold_);
    report.integer("held_out_rows", static_cast<std::int64_t>(unusual.size()));
    if (all > 0) report.number("held_out_novel", novel / all);
    const bool asked = found.promised >= 1 - share_;
    report.number("promised_share", asked ? share_ : 1 - found.promised);
    const std::string shortage = found.shortage(1 - share_);
    if (!shortage.empty())
      context.log(LogLevel::warning,
                  "of usual rows to be taken for usual, " + shortage +
                      (std::isinf(found.value)
                           ? ", so nothing is novel; raise 'share', or train with more rows"
                           : std::string("; ") + more_groups));
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      const double score{in.row(i)[0]}, ordered = score > 0 ? 1 + score : 1 / (1 - score);
      out.row(i)[0] = threshold_ > lowest ? narrowed(score - threshold_) : narrowed(ordered);
    }
  }

  void save(StateWriter& state) const override { state.number("threshold", threshold_); }

  void load(const StateReader& state, Context&) override {
    threshold_ = state.number("threshold");
    if (!std::isfinite(threshold_))
      throw Error("the state's threshold is unusable; train the model again");
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto score = formula.widen(in), one = formula.number(1, score);
    if (threshold_ == lowest)
      return formula.narrow(
          formula.where_greater(score, formula.number(0, score), formula.add(one, score),
                                formula.divide(one, formula.subtract(one, score))));
    return narrow_scores(formula, formula.subtract(score, formula.number(threshold_, score)));
  }

 private:
  /// A finite float32 below all others: nothing is novel.
  static constexpr double lowest = std::numeric_limits<float>::lowest();

  double share_ = 0.05;
  double threshold_ = 0;  ///< the smallest score of a usual sample
};

}  // namespace

ComponentEntry declare_false_alarms() { return FalseAlarms::declare().entry(); }

}  // namespace semblance::calibrators
