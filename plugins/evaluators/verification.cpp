// SPDX-License-Identifier: MIT
#include <cmath>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "verification_report.hpp"

namespace semblance::evaluators {
namespace {

/// `evaluator/verification`: how well pairs of the same class are distinguished from other pairs,
/// as in the pairwise SVM paper (sections 4 and 6.3): DET curve and equal error rate.
class Verification final : public EvaluatorOf<PortType::pair_scores> {
 public:
  static Declaration<Verification> declare();
  void evaluate(const Results& test, Report& report, Context& context) const override;
};

Declaration<Verification> Verification::declare() {
  return Declaration<Verification>("evaluator/verification",
                                   "Equal error rate and DET curve of pair scores")
      .documentation(std::string("For one solver it reports ") + verification_figures +
                     " For several it reports the mean of each figure and, as eer_sem, the "
                     "standard error of the mean equal error rate; a table has each solver's own "
                     "figures, and one chart has their DET curves and det_mean: at each false "
                     "match rate, the mean of their lowest false non-match rates.")
      .reference(
          "Brunner et al., Pairwise kernels, support vector machines, and the application "
          "to large scale problems, 2011, section 4")
      .complexity("n log n for n pairs")
      .reports(verification_declarations())
      .reports({"pairs", "number of evaluated pairs", FigureUnit::count})
      .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 30, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
}

void Verification::evaluate(const Results& test, Report& report, Context& context) const {
  std::vector<std::pair<std::string, DetectionError>> measured;
  for (const ScoredPairs& one : test.pairs) {
    context.check_stop();
    measured.emplace_back(one.solver, DetectionError(one.scores, one.labels));
  }
  report_verification(measured, report);
  report.integer("pairs", static_cast<std::int64_t>(test.pairs.front().scores.size()));
}

}  // namespace

ComponentEntry declare_verification() { return Verification::declare().entry(); }

}  // namespace semblance::evaluators
