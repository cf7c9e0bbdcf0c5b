#include <algorithm>
#include <numeric>

#include "semblance/evaluator.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// The probability that a pair within one class scores higher than a pair of two classes: the area
/// under the receiver operating characteristic (Mann and Whitney 1947).
class TemplateNameEvaluator final : public semblance::PairEvaluator {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Area under the ROC curve of pairs")
        .reports({"area_*",
                  "probability that a same-class pair scores higher than a different-class pair",
                  FigureUnit::share, Better::higher, true})
        .documentation(
            "Reports area_NODE for each solver. Pairs of unknown label are ignored; ties count "
            "half.")
        .reference("Mann and Whitney 1947")
        .complexity("n log n for n pairs")
        .example(R"(
          glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          pairs:  {is: pairs/all, from: glyphs}
          svm:    {is: solver/pairwise_svm, from: x, pairs: pairs}
          mine:   {is: evaluator/template_name, from: svm})");
  }

  void evaluate(std::span<const ScoredPairs> tests, Report& report, Context&) const override {
    for (const ScoredPairs& test : tests) report.number("area_" + test.solver, area(test));
  }

 private:
  static double area(const ScoredPairs& test) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < test.scores.size(); ++i)
      if (test.labels[i] != 0) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return test.scores[a] < test.scores[b]; });
    double positives = 0, negatives = 0, won = 0;
    for (std::size_t i = 0; i < order.size();) {
      double equal_positives = 0, equal_negatives = 0;
      const float score = test.scores[order[i]];
      for (; i < order.size() && test.scores[order[i]] == score; ++i)
        (test.labels[order[i]] > 0 ? equal_positives : equal_negatives) += 1;
      won += equal_positives * (negatives + equal_negatives / 2);
      positives += equal_positives;
      negatives += equal_negatives;
    }
    if (positives == 0 || negatives == 0)
      throw Error("the test pairs must include both same-class and different-class pairs");
    return won / (positives * negatives);
  }
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
