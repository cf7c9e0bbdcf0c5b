// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "figures/probabilities.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance_numerics/probability_bins.hpp"

namespace semblance::evaluators {

namespace {

using Rows = std::vector<std::size_t>;

/// A probability that something is so, and whether it was.
struct Forecast {
  double probability = 0;
  bool happened = false;
};

/// Forecasts of about the same probability.
struct ReliabilityBin {
  double low = 0;   ///< for equal width: its lower border; else the least probability in it
  double high = 0;  ///< its upper border, or the largest probability in it
  double rows = 0;
  double probability = 0;  ///< the mean of the forecasts
  double happened = 0;     ///< the share of them that were right
  double gap() const noexcept { return happened - probability; }
};

/// The assignment of forecasts to bins: of equal width, or about the same number in each.
struct Binning {
  bool equal_count = false;
  std::size_t bins = 10;
};

/// The parts of the Brier score of binned forecasts (Murphy, A new vector partition of the
/// probability score, 1973): score = reliability - resolution + uncertainty.
struct BrierParts {
  double reliability = 0;  ///< mean squared gap
  double resolution = 0;   ///< mean squared difference between a bin's share and the overall share
  double uncertainty = 0;  ///< p (1 - p) for the share of all
};

/// The mean of forecasts [first, end), all of one bin.
ReliabilityBin bin_of(const std::vector<Forecast>& sorted, std::size_t first, std::size_t end) {
  ReliabilityBin bin{sorted[first].probability, sorted[end - 1].probability,
                     static_cast<double>(end - first)};
  for (std::size_t i = first; i < end; ++i) {
    bin.probability += sorted[i].probability;
    bin.happened += sorted[i].happened;
  }
  bin.probability /= bin.rows;
  bin.happened /= bin.rows;
  return bin;
}

double rows_of(const std::vector<ReliabilityBin>& bins) {
  double rows = 0;
  for (const ReliabilityBin& bin : bins) rows += bin.rows;
  return rows;
}

/// The nonempty bins, by ascending probability. Equal width: those of probability_bin(). Equal
/// count: equal probabilities are in one bin, so that their order does not matter; there are fewer
/// bins if many are equal.
std::vector<ReliabilityBin> reliability_bins(std::vector<Forecast> forecasts,
                                             const Binning& binning) {
  std::ranges::sort(forecasts, {}, &Forecast::probability);
  const std::size_t rows = forecasts.size(), bins = binning.bins;
  const auto bin_at = [&](std::size_t i) {
    return probability_bin(static_cast<float>(forecasts[i].probability), bins);
  };
  std::vector<ReliabilityBin> found;
  for (std::size_t first = 0, end = 0, k = 0; first < rows; first = end) {
    while (binning.equal_count && end <= first) end = ++k * rows / bins;
    const auto belongs = [&](std::size_t i) {
      return binning.equal_count ? forecasts[i].probability == forecasts[i - 1].probability
                                 : bin_at(i) == bin_at(first);
    };
    while (end < rows && belongs(end)) ++end;
    ReliabilityBin bin = bin_of(forecasts, first, end);
    if (!binning.equal_count) {
      bin.low = static_cast<double>(bin_at(first)) / static_cast<double>(bins);
      bin.high = static_cast<double>(bin_at(first) + 1) / static_cast<double>(bins);
    }
    found.push_back(bin);
  }
  return found;
}

/// The mean of |gap|, weighted by rows, and the largest (Naeini, Cooper, Hauskrecht, Obtaining well
/// calibrated probabilities using Bayesian binning, 2015).
double expected_calibration_error(const std::vector<ReliabilityBin>& bins) {
  double sum = 0;
  for (const ReliabilityBin& bin : bins) sum += bin.rows * std::abs(bin.gap());
  return sum / rows_of(bins);
}

double maximum_calibration_error(const std::vector<ReliabilityBin>& bins) {
  double largest = 0;
  for (const ReliabilityBin& bin : bins) largest = std::max(largest, std::abs(bin.gap()));
  return largest;
}

BrierParts brier_parts(const std::vector<ReliabilityBin>& bins) {
  const double rows = rows_of(bins);
  double all = 0;
  for (const ReliabilityBin& bin : bins) all += bin.rows * bin.happened / rows;
  BrierParts parts{0, 0, all * (1 - all)};
  for (const ReliabilityBin& bin : bins) {
    parts.reliability += bin.rows / rows * bin.gap() * bin.gap();
    parts.resolution += bin.rows / rows * (bin.happened - all) * (bin.happened - all);
  }
  return parts;
}

[[noreturn]] void refuse(const std::string& solver) {
  throw Error("it judges probabilities, but the scores of " + solver +
              " are not; put calibrator/probabilities after it");
}

/// Forecasts that a sample belongs to the class.
std::vector<Forecast> forecasts_of_class(const Results& test, const Rows& rows, std::size_t c) {
  std::vector<Forecast> forecasts;
  forecasts.reserve(rows.size());
  for (const std::size_t i : rows)
    forecasts.push_back(
        {double{test.outputs.row_span(i)[c]}, test.labels[i] == static_cast<std::int32_t>(c)});
  return forecasts;
}

/// Forecasts that a sample belongs to its assigned class.
std::vector<Forecast> forecasts_of_predicted(const Results& test, const Rows& rows) {
  std::vector<Forecast> forecasts;
  forecasts.reserve(rows.size());
  for (const std::size_t i : rows) {
    const auto row = test.outputs.row_span(i);
    const std::int32_t predicted = predicted_class(row);
    forecasts.push_back(
        {double{row[static_cast<std::size_t>(predicted)]}, predicted == test.labels[i]});
  }
  return forecasts;
}

std::string range_text(const ReliabilityBin& bin) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4g to %.4g", bin.low, bin.high);
  return text;
}

void report_reliability(const std::vector<ReliabilityBin>& bins, Report& report) {
  Table table{"bins", "probability", "", {}, {"rows", "probability", "happened", "gap"}, {}};
  Curve curve{"reliability", "probability", "share_that_happened", {}, {}};
  for (const ReliabilityBin& bin : bins) {
    table.rows.push_back(range_text(bin));
    table.values.insert(table.values.end(), {bin.rows, bin.probability, bin.happened, bin.gap()});
    curve.x.push_back(bin.probability);
    curve.y.push_back(bin.happened);
  }
  report.number("expected_calibration_error", expected_calibration_error(bins));
  report.number("maximum_calibration_error", maximum_calibration_error(bins));
  report.table(table);
  report.curve(curve);
  report.curve({"reliability_perfect", curve.x_label, curve.y_label, {0, 1}, {0, 1}});
}

/// For all classes, each against the rest.
void report_brier(const Results& test, const Rows& rows, const Binning& binning, Report& report,
                  const Context& context) {
  const double score = report_probability_losses(test, rows, report);
  BrierParts all;
  for (std::size_t c = 0; c < test.classes.size(); ++c) {
    context.check_stop();
    const BrierParts parts =
        brier_parts(reliability_bins(forecasts_of_class(test, rows, c), binning));
    all.reliability += parts.reliability;
    all.resolution += parts.resolution;
    all.uncertainty += parts.uncertainty;
  }
  report.number("brier_reliability", all.reliability);
  report.number("brier_resolution", all.resolution);
  report.number("brier_uncertainty", all.uncertainty);
  report.number("brier_within_bins", score - (all.reliability - all.resolution + all.uncertainty));
}

/// `evaluator/calibration`: whether probabilities match frequencies.
class Calibration final : public Evaluator {
 public:
  static Declaration<Calibration> declare() {
    using enum FigureUnit;
    using enum Better;
    return Declaration<Calibration>("evaluator/calibration",
                                    "Whether probabilities are what they say: reliability diagram, "
                                    "calibration errors, Brier score")
        .documentation(
            "If a class is assigned to rows with a probability of 0.8, 80 % of them should belong "
            "to it. The rows are put into bins by the probability of the class they are assigned "
            "to; the reliability diagram and the table `bins` show for each bin the mean "
            "probability and the share of rows that do belong to it. `positive` asks the same of "
            "one class: its probability, and the share of rows that belong to it.\n"
            "\n"
            "expected_calibration_error is the mean difference of both over the bins, weighted by "
            "rows, maximum_calibration_error the largest. Both depend on the bins: few rows per "
            "bin make them larger. Bins of equal width include their upper ends, as in "
            "scikit-learn; bins of equal count hold about the same number of rows, and rows of "
            "equal probability are never separated.\n"
            "\n"
            "brier_score and log_loss are those of evaluator/classification, over all classes, and "
            "depend on no bins. The Brier score is brier_reliability (how far the bins are from "
            "their probabilities; 0 is best), minus brier_resolution (how far they are from the "
            "class's share of all rows; more is better), plus brier_uncertainty (of the data), "
            "plus brier_within_bins (what the bins hide): each is summed over the classes.\n"
            "\n"
            "Scores that are not probabilities are refused. Rows without a label are excluded, "
            "with a warning.")
        .reference(
            "Murphy, A new vector partition of the probability score, 1973; Naeini, Cooper and "
            "Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, 2015; "
            "Guo, Pleiss, Sun and Weinberger, On calibration of modern neural networks, 2017")
        .complexity("rows x classes, and n log n for the n rows of each class")
        .parameter("bins", &Calibration::bins_, "number of bins", at_least(1), at_most(1000))
        .parameter("equal", &Calibration::equal_, "what is equal for all bins",
                   choices({"width", "count"}))
        .parameter("positive", &Calibration::positive_,
                   "the class whose probability is asked about; empty: that of the class a row is "
                   "assigned to")
        .reports({"expected_calibration_error",
                  "mean difference between probability and observed share", share, lower, true})
        .reports({"maximum_calibration_error", "largest difference of a bin", share, lower})
        .reports({"brier_score", "mean squared error of the probabilities, over all classes", plain,
                  lower, true})
        .reports({"brier_reliability", "mean squared difference of the bins from their probability",
                  plain, lower})
        .reports({"brier_resolution", "mean squared difference of the bins from the overall share",
                  plain, higher})
        .reports({"brier_uncertainty", "the Brier score of always predicting the overall share"})
        .reports({"brier_within_bins", "the part of the Brier score that the bins hide"})
        .reports({"log_loss", "mean of -ln p of the true class", plain, lower})
        .reports(known_rows_figures())
        .reports({"bins.rows", "number of rows in the bin", count})
        .reports({"bins.probability", "mean probability in the bin", share})
        .reports({"bins.happened", "share of rows that belong to the class", share})
        .reports({"reliability.probability", "mean probability in the bin", share})
        .reports(
            {"reliability.share_that_happened", "share of rows that belong to the class", share})
        .example(R"(
        points: {is: source/rings, classes: 3, noise: 0.3}
        bases:  {is: basis/all, from: points}
        rbf:    {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        nn:     {is: solver/nearest_neighbour, k: 15, scores: shares, from: rbf}
        test:   {is: evaluator/calibration, equal: count, bins: 5, from: nn})");
  }

  Needs needs() const override { return {.probabilities = true}; }

  void check_scores(const AnnouncedScores& scores) const override {
    if (!scores.probabilities) refuse("'" + scores.node + "' (" + scores.solver + ")");
    if (!positive_.empty()) class_named("positive", positive_, scores.classes);
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    if (!test.probabilities) refuse(test.lineage.solver);
    const Rows rows = known_rows(test, report, context);
    const Binning binning{equal_ == "count", static_cast<std::size_t>(bins_)};
    report_brier(test, rows, binning, report, context);
    const auto forecasts =
        positive_.empty()
            ? forecasts_of_predicted(test, rows)
            : forecasts_of_class(test, rows, class_named("positive", positive_, test.classes));
    report_reliability(reliability_bins(forecasts, binning), report);
  }

 private:
  std::string positive_;
  std::int64_t bins_ = 10;
  std::string equal_ = "width";
};

}  // namespace

ComponentEntry declare_calibration() { return Calibration::declare().entry(); }

}  // namespace semblance::evaluators
