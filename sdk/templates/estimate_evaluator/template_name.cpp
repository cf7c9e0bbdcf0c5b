#include <cmath>

#include "semblance/evaluator.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// How many estimates are near the true number.
class TemplateNameEvaluator final : public EvaluatorOf<PortType::estimates> {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Share of estimates within a tolerance")
        .parameter("tolerance", &TemplateNameEvaluator::tolerance_,
                   "largest error of a good estimate, in the unit of the numbers", at_least(0))
        .documentation(
            "Reports within. If there are several numbers to predict, their estimates are counted "
            "together. Numbers that are not known are excluded.")
        .reports({"within", "share of estimates whose error is at most the tolerance",
                  FigureUnit::share, Better::higher, true})
        .complexity("one pass over the estimates")
        .example(R"(
          table: {is: source/friedman}
          x:     {is: normalizer/zscore, from: table}
          ridge: {is: solver/ridge, from: x}
          mine:  {is: evaluator/template_name, tolerance: 2, from: ridge})");
  }

  void evaluate_estimates(const Estimated& test, Report& report, Context&) const override {
    double good = 0, all = 0;
    for (std::size_t i = 0; i < test.estimates.rows; ++i)
      for (std::size_t t = 0; t < test.names.size(); ++t) {
        const double truth = test.targets[i * test.names.size() + t];
        if (std::isnan(truth)) continue;
        all += 1;
        good += std::abs(double{test.estimates.row(i)[t]} - truth) <= tolerance_;
      }
    if (all == 0) throw Error("the test samples have no known numbers; give them some");
    report.number("within", good / all);
  }

 private:
  double tolerance_ = 1;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
