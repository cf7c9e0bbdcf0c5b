// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "figures/detection_error.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

using Measured = std::vector<std::pair<std::string, DetectionError>>;

constexpr std::array figure_names = {"eer", "fmr100", "fmr1000", "eer_threshold",
                                     "zero_threshold_error"};

using Figures = std::array<double, figure_names.size()>;

Figures figures_of(const DetectionError& test) {
  return {test.equal_error_rate(), test.false_non_match_rate_at(0.01),
          test.false_non_match_rate_at(0.001), test.equal_error_threshold(), test.error_at_zero()};
}

double standard_error(const std::vector<Figures>& all, double mean) {
  double squares = 0;
  for (const Figures& one : all) squares += (one[0] - mean) * (one[0] - mean);
  const auto n = static_cast<double>(all.size());
  return std::sqrt(squares / (n - 1) / n);
}

/// The mean of false_non_match_rate_at() over the tests, from the least false match rate that all
/// can distinguish from 0, at levels evenly spread in log(x / (1 - x)).
Curve mean_curve(const Measured& tests) {
  constexpr std::size_t levels = 200;
  Curve mean{"det_mean", "false_match_rate", "false_non_match_rate", {}, {}};
  double least = 0;
  for (const auto& [name, test] : tests)
    least = std::max(least, 1 / static_cast<double>(test.negative_pairs()));
  if (least >= 0.5) return mean;
  const double end = std::log((1 - least) / least);
  for (std::size_t i = 0; i < levels; ++i) {
    const double s = end * (2 * static_cast<double>(i) / (levels - 1) - 1);
    const double level = std::max(least, 1 / (1 + std::exp(-s)));
    double rate = 0;
    for (const auto& [name, test] : tests)
      rate += test.false_non_match_rate_at(level) / static_cast<double>(tests.size());
    if (rate <= 0 || rate >= 1) continue;  // no place on normal-deviate axes
    mean.x.push_back(level);
    mean.y.push_back(rate);
  }
  return mean;
}

void report_verification(const Measured& tests, Report& report) {
  Table table{"solvers", "solver", "", {}, {figure_names.begin(), figure_names.end()}, {}};
  std::vector<Figures> all;
  Figures mean{};
  for (const auto& [name, test] : tests) {
    all.push_back(figures_of(test));
    table.rows.push_back(name);
    for (std::size_t f = 0; f < mean.size(); ++f) {
      table.values.push_back(all.back()[f]);
      mean[f] += all.back()[f] / static_cast<double>(tests.size());
    }
  }
  for (std::size_t f = 0; f < mean.size(); ++f) report.number(figure_names[f], mean[f]);
  if (tests.size() > 1) {
    report.number("eer_sem", standard_error(all, mean[0]));
    report.table(table);
    report.curve(mean_curve(tests));
  }
  for (const auto& [name, test] : tests)
    report.curve(test.curve(tests.size() == 1 ? "det" : "det_" + name));
}

/// `evaluator/verification`: how well pairs of the same class are distinguished from other pairs,
/// as in the pairwise SVM paper (sections 4 and 6.3): DET curve and equal error rate of each
/// solver, or of the sum of their scores, as the columns L+T and S+L+T of table 3.
class Verification final : public EvaluatorOf<PortType::pair_scores> {
 public:
  static Declaration<Verification> declare() {
    using enum FigureUnit;
    using enum Better;
    return Declaration<Verification>("evaluator/verification",
                                     "Equal error rate and DET curve of pair scores")
        .documentation(
            "For one solver it reports eer (the equal error rate, interpolated), fmr100 and "
            "fmr1000 (the lowest false non-match rate at a false match rate of at most 1/100 and "
            "1/1000), eer_threshold, zero_threshold_error (the share of pairs whose score has the "
            "wrong sign) and the DET curve. For several it reports the mean of each figure and, as "
            "eer_sem, the standard error of the mean equal error rate; a table has each solver's "
            "own figures, and one chart has their DET curves and det_mean: at each false match "
            "rate, the mean of their lowest false non-match rates.\n"
            "\n"
            "With `sum: true` the scores of several solvers are added, each times its factor in "
            "`weights`, and the sum is judged like one solver. They must share their test pairs.")
        .reference(
            "Brunner et al., Pairwise kernels, support vector machines, and the application to "
            "large scale problems, 2011, section 4 and table 3")
        .complexity("n log n for n pairs")
        .parameter("sum", &Verification::sum_, "whether to judge the sum of the solvers' scores")
        .parameter(
            "weights", &Verification::weights_,
            "factors of the solvers' scores in the sum, in the order of 'from'; empty: 1 each")
        .reports({"eer", "error rate at which both kinds of errors are equally frequent", share,
                  lower, true})
        .reports(
            {"fmr100", "lowest false non-match rate at a false match rate of 1 %", share, lower})
        .reports(
            {"fmr1000", "lowest false non-match rate at a false match rate of 0.1 %", share, lower})
        .reports({"eer_threshold", "score at which the error rates are equal"})
        .reports(
            {"zero_threshold_error", "share of pairs whose score has the wrong sign", share, lower})
        .reports({"eer_sem", "standard error of the mean equal error rate", share, lower})
        .reports({"det.false_match_rate", "share of different-class pairs that are accepted", share,
                  lower})
        .reports({"det.false_non_match_rate", "share of same-class pairs that are rejected", share,
                  lower})
        .reports({"det_*.false_match_rate", "share of different-class pairs that are accepted",
                  share, lower})
        .reports({"det_*.false_non_match_rate", "share of same-class pairs that are rejected",
                  share, lower})
        .reports({"pairs", "number of evaluated pairs", count})
        .gone({.written = "evaluator/fusion",
               .since = "1.0",
               .advice = "write is: evaluator/verification, sum: true"})
        .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

  void check_parameters() const override {
    if (!sum_ && !weights_.empty())
      throw Error("'weights' are factors of scores that are added; add sum: true, or remove them");
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    Measured measured;
    if (sum_)
      measured.emplace_back("sum", of_sum(test.pairs));
    else
      for (const ScoredPairs& one : test.pairs) {
        context.check_stop();
        measured.emplace_back(one.solver, DetectionError(one.scores, one.labels));
      }
    report_verification(measured, report);
    report.integer("pairs", static_cast<std::int64_t>(test.pairs.front().scores.size()));
  }

 private:
  DetectionError of_sum(std::span<const ScoredPairs> tests) const {
    if (!weights_.empty() && weights_.size() != tests.size())
      throw Error("'weights' has " + std::to_string(weights_.size()) + " numbers for " +
                  std::to_string(tests.size()) + " solvers; give one each");
    for (const ScoredPairs& test : tests)
      if (!std::ranges::equal(test.pairs.list(), tests.front().pairs.list()))
        throw Error("'" + test.solver + "' and '" + tests.front().solver +
                    "' were tested on different pairs, whose scores cannot be added; name the same "
                    "node as 'pairs' of both");
    std::vector<float> sum(tests.front().scores.size());
    for (std::size_t p = 0; p < sum.size(); ++p) {
      double total = 0;
      for (std::size_t t = 0; t < tests.size(); ++t)
        total += (weights_.empty() ? 1 : weights_[t]) * tests[t].scores[p];
      sum[p] = static_cast<float>(total);
    }
    return {sum, tests.front().labels};
  }

  bool sum_ = false;
  std::vector<double> weights_;
};

}  // namespace

ComponentEntry declare_verification() { return Verification::declare().entry(); }

}  // namespace semblance::evaluators
