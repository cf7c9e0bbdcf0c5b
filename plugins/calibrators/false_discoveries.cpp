// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "coverage_threshold.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"

namespace semblance::calibrators {
namespace {

/// `calibrator/false_discoveries`: p-values for a novelty detector, and a bound on the share of
/// usual samples among those that it calls novel.
class FalseDiscoveries final : public NoveltyCalibrator {
 public:
  static Declaration<FalseDiscoveries> declare() {
    using enum FigureUnit;
    using enum Better;
    return Declaration<FalseDiscoveries>(
               "calibrator/false_discoveries",
               "Conformal p-values of a novelty detector, and novel rows at a false discovery rate")
        .documentation(
            "The p-value of a row is (1 + r) / (n + 1), where r of n held-out usual rows have a "
            "score as small as its own or smaller. They were scored by detectors that had not "
            "learned from them. If the detector learns from one class (`normal`), held-out rows of "
            "other classes do not count.\n"
            "\n"
            "Which rows are novel is decided for all rows of a batch together: the test rows of a "
            "run, the rows of a prediction, or those of a request to `serve`. Of m rows, the k "
            "with the smallest p-values are novel, for the largest k such that none of them is "
            "above rate k / m (Benjamini and Hochberg). So of all rows called novel, a share of at "
            "most `rate` is usual on average over batches, times the share of usual rows in the "
            "batch. More novel rows in a batch make the threshold less strict.\n"
            "\n"
            "The score of a usual row is its p-value, that of a novel row its p-value minus 1. "
            "p-values are multiples of 1 / (n + 1), so the oddest rows tie; judge the order of "
            "rows by the detector's own scores. With k novel rows among m, at least m / (rate k) - "
            "1 held-out rows are needed to find them.\n"
            "\n"
            "Guarantee: it holds if the scores of held-out rows and of the usual rows of the batch "
            "are exchangeable. Held-out scores come from detectors that have learned from the "
            "other folds, so it holds approximately. Weights are relative: with weights w, r is "
            "the share of the weight of these rows, times n = (sum w)^2 / sum w^2. If rows have "
            "groups that stay together in folds (`folds_by`), each group counts as one row, and "
            "what is said of p-values holds for rows of new groups.")
        .reference(
            "Bates, Candes, Lei, Romano and Sesia, Testing for outliers with conformal p-values, "
            "2023; Benjamini and Hochberg, Controlling the false discovery rate, 1995")
        .takes_weights()
        .complexity("n log n for the n held-out rows; m log m for a batch of m rows")
        .parameter("rate", &FalseDiscoveries::rate_,
                   "largest mean share of usual rows among those called novel", above(0), below(1))
        .reports({"held_out_rows", "number of held-out rows that it learned from", count})
        .reports(
            {"smallest_p", "p-value of a row that is odder than all held-out rows", share, lower})
        .example(R"(
        points: {is: source/clusters, classes: 3, train: 600, test: 600}
        svm:    {is: solver/one_class_svm, normal: "1", from: points}
        novel:  {is: calibrator/false_discoveries, rate: 0.1, from: svm}
        test:   {is: evaluator/novelty, normal: "1", from: novel})");
  }

  void fit(const HeldOutNovelty& held_out, Report& report, Context& context) override {
    std::vector<HeldOutValue> values = scores_of(held_out, "p-value");
    context.check_stop();
    if (values.empty())
      throw Error("there are no held-out usual rows, so there are no p-values; give more rows");
    std::ranges::stable_sort(values, {}, &HeldOutValue::value);
    const double number = weigh(values).number;
    scores_.clear();
    below_.clear();
    double rows = 1;
    for (std::size_t first = 0, end = 0; first < values.size(); first = end) {
      for (end = first; end < values.size() && values[end].value == values[first].value; ++end)
        rows += values[end].weight;
      scores_.push_back(values[first].value);
      below_.push_back(std::min(1.0, rows / (number + 1)));
    }
    below_.insert(below_.begin(), 1 / (number + 1));
    report.integer("held_out_rows", static_cast<std::int64_t>(values.size()));
    report.number("smallest_p", below_.front());
    if (below_.front() <= rate_) return;
    char text[64];
    std::snprintf(text, sizeof text, "%.3g, above the rate of %g", below_.front(), rate_);
    context.log(LogLevel::warning,
                "the smallest p-value that the held-out rows allow is " + std::string(text) +
                    ", so nothing is novel; raise 'rate', or train with more rows or groups");
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      const auto beyond = std::ranges::upper_bound(scores_, double{in.row(i)[0]});
      out.row(i)[0] =
          static_cast<float>(below_[static_cast<std::size_t>(beyond - scores_.begin())]);
    }
  }

  bool judges_batches() const override { return true; }

  void judge(std::span<float> scores) const override {
    std::vector<float> sorted(scores.begin(), scores.end());
    std::ranges::sort(sorted);
    float largest = 0;  // p-values are above 0
    for (std::size_t k = sorted.size(); k > 0 && largest == 0; --k) {
      const double level = rate_ * static_cast<double>(k) / static_cast<double>(sorted.size());
      if (sorted[k - 1] <= static_cast<float>(level)) largest = sorted[k - 1];
    }
    for (float& p : scores)
      if (p <= largest) p = std::min(p - 1, -std::numeric_limits<float>::denorm_min());
  }

  void save(StateWriter& state) const override {
    state.doubles("scores", scores_);
    state.doubles("below", below_);
  }

  void load(const StateReader& state, Context&) override {
    scores_ = state.doubles("scores");
    below_ = state.doubles("below");
    const bool sound = !scores_.empty() && below_.size() == scores_.size() + 1 &&
                       below_.front() > 0 && below_.back() <= 1 &&
                       std::ranges::is_sorted(scores_) && std::ranges::is_sorted(below_) &&
                       std::ranges::all_of(scores_, [](double s) { return std::isfinite(s); });
    if (!sound) throw Error("the state's p-values are unusable; train the model again");
  }

 private:
  double rate_ = 0.1;
  std::vector<double> scores_;  ///< of held-out samples, ascending
  std::vector<double> below_;   ///< p of a sample with at most this score; then 1
};

}  // namespace

ComponentEntry declare_false_discoveries() { return FalseDiscoveries::declare().entry(); }

}  // namespace semblance::calibrators
