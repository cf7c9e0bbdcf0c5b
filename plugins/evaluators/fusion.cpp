// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "verification_report.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/fusion`: judges the sum of several solvers' scores of the same pairs, as the columns
/// L+T and S+L+T of the pairwise SVM paper's table 3.
class Fusion final : public EvaluatorOf<PortType::pair_scores> {
 public:
  static Declaration<Fusion> declare();
  void evaluate(const Results& test, Report& report, Context& context) const override;

 private:
  std::vector<double> weights_;
};

void check_same_pairs(std::span<const ScoredPairs> tests) {
  for (const ScoredPairs& test : tests)
    if (!std::ranges::equal(test.pairs.list(), tests.front().pairs.list()))
      throw Error("'" + test.solver + "' and '" + tests.front().solver +
                  "' were tested on different pairs, whose scores cannot be added; name the same "
                  "node as 'pairs' of both");
}

Declaration<Fusion> Fusion::declare() {
  return Declaration<Fusion>("evaluator/fusion",
                             "Equal error rate and DET curve of the sum of several solvers' scores")
      .parameter("weights", &Fusion::weights_,
                 "factors of the solvers' scores, in the order of 'from'; empty: 1 each")
      .documentation(std::string("The solvers must share their test pairs. Reports ") +
                     verification_figures)
      .reference(
          "Brunner et al., Pairwise kernels, support vector machines, and the application "
          "to large scale problems, 2011, table 3")
      .complexity("n log n for n pairs")
      .reports(verification_declarations())
      .reports({"pairs", "number of evaluated pairs", FigureUnit::count})
      .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        ml:     {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        tl:     {is: solver/pairwise_newton, kernel: {is: pair_kernel/tensor_learning}, from: points, pairs: pairs}
        both:   {is: evaluator/fusion, weights: [1, 0.5], from: [ml, tl]})");
}

void Fusion::evaluate(const Results& test, Report& report, Context&) const {
  const std::span<const ScoredPairs> tests = test.pairs;
  if (!weights_.empty() && weights_.size() != tests.size())
    throw Error("'weights' has " + std::to_string(weights_.size()) + " numbers for " +
                std::to_string(tests.size()) + " solvers; give one each");
  check_same_pairs(tests);
  std::vector<float> sum(tests.front().scores.size());
  for (std::size_t p = 0; p < sum.size(); ++p) {
    double total = 0;
    for (std::size_t t = 0; t < tests.size(); ++t)
      total += (weights_.empty() ? 1 : weights_[t]) * tests[t].scores[p];
    sum[p] = static_cast<float>(total);
  }
  report_verification({{"sum", DetectionError(sum, tests.front().labels)}}, report);
  report.integer("pairs", static_cast<std::int64_t>(sum.size()));
}

}  // namespace

ComponentEntry declare_fusion() { return Fusion::declare().entry(); }

}  // namespace semblance::evaluators
