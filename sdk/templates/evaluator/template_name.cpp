#include "semblance/label_evaluator.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// Balanced accuracy: how many samples of a class are recognized, averaged over the classes, so
/// that large classes count no more than small ones.
class TemplateNameEvaluator final : public LabelEvaluator {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Accuracy averaged over the classes")
        .documentation("Reports balanced_accuracy. Classes without test rows are excluded.")
        .reports({"balanced_accuracy", "mean of the classes' recalls", FigureUnit::share,
                  Better::higher, true})
        .reports({"recalls.recall", "share of a class that is recognized", FigureUnit::share})
        .complexity("one pass over the scores")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          svm:    {is: solver/linear_svm, C: 1, from: x}
          mine:   {is: evaluator/template_name, from: svm})");
  }

 private:
  void evaluate_labels(const PredictedLabels& test, Report& report, Context&) const override {
    std::vector<double> right(test.classes.size()), all(test.classes.size());
    for (std::size_t i = 0; i < test.truth.size(); ++i) {
      const auto label = static_cast<std::size_t>(test.truth[i]);
      all[label] += 1;
      right[label] += test.predicted[i] == test.truth[i];
    }
    Bars bars{"recalls", "recall", {}, {}, {}, "The share of each class that is recognized."};
    double recalls = 0, present = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (all[c] == 0) continue;
      recalls += right[c] / all[c];
      present += 1;
      bars.labels.push_back(test.classes[c]);
      bars.values.push_back(right[c] / all[c]);
    }
    report.number("balanced_accuracy", recalls / present);
    report.draw(bars);
  }
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
