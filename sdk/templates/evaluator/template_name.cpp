#include "semblance/evaluator.hpp"
#include "semblance/plugin.hpp"
#include "semblance/predicted_class.hpp"

namespace plugin {
using namespace semblance;

/// Balanced accuracy: how many samples of a class are recognized, averaged over the classes, so
/// that large classes count no more than small ones.
class TemplateNameEvaluator final : public semblance::Evaluator {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Accuracy averaged over the classes")
        .documentation(
            "Reports balanced_accuracy, and the table `recall` with one row a class. Classes "
            "without test rows are left out.")
        .reports({"balanced_accuracy", "mean of the classes' recalls", FigureUnit::share,
                  Better::higher, true})
        .reports({"recall.recall", "share of the class's rows that are recognized",
                  FigureUnit::share, Better::higher})
        .complexity("one pass over the scores")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          svm:    {is: solver/linear_svm, C: 1, from: x}
          mine:   {is: evaluator/template_name, from: svm})");
  }

  void evaluate(const Scored& test, Report& report, Context&) const override {
    const std::size_t classes = test.classes.size();
    std::vector<double> right(classes), all(classes);
    for (std::size_t i = 0; i < test.scores.rows; ++i) {
      if (test.labels[i] < 0) continue;  // unknown
      const auto label = static_cast<std::size_t>(test.labels[i]);
      all[label] += 1;
      right[label] += predicted_class(test.scores.row_span(i)) == test.labels[i];
    }
    Table table{"recall", "class", "", {}, {"recall"}, {}};
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (all[c] == 0) continue;
      table.rows.push_back(test.classes[c]);
      table.values.push_back(right[c] / all[c]);
      sum += table.values.back();
    }
    if (table.rows.empty())
      throw Error("no test row has a known class; give the source labelled test rows");
    report.number("balanced_accuracy", sum / static_cast<double>(table.rows.size()));
    report.table(table);
  }
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
