#include <algorithm>

#include "semblance/evaluator.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// How many novel samples are found, and how many false alarms that costs.
class TemplateNameEvaluator final : public EvaluatorOf<PortType::novelty> {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Novel samples found, and false alarms")
        .parameter("normal", &TemplateNameEvaluator::normal_,
                   "the class that is not novel; all others are. Empty: the first class")
        .documentation(
            "Reports found and false_alarms. A sample is taken for novel if its score is below 0.")
        .reports({"found", "share of the novel samples that are taken for novel", FigureUnit::share,
                  Better::higher, true})
        .reports({"false_alarms", "share of the normal samples that are taken for novel",
                  FigureUnit::share, Better::lower, true})
        .complexity("one pass over the scores")
        .example(R"(
          points: {is: source/clusters, classes: 3, train: 300, test: 300}
          svm:    {is: solver/one_class_svm, kernel: {is: similarity/rbf, gamma: 0.5}, normal: "1", from: points}
          mine:   {is: evaluator/template_name, normal: "1", from: svm})");
  }

  void check_scores(const AnnouncedScores& scores) const override { normal_in(scores.classes); }

  void evaluate(const Scored& test, Report& report, Context&) const override {
    const std::int32_t normal = normal_in(test.classes);
    double found = 0, novel = 0, alarms = 0, others = 0;
    for (std::size_t i = 0; i < test.scores.rows; ++i) {
      if (test.labels[i] < 0) continue;  // its class is not known
      const bool taken_for_novel = test.scores.row(i)[0] < 0;
      (test.labels[i] == normal ? others : novel) += 1;
      (test.labels[i] == normal ? alarms : found) += taken_for_novel;
    }
    if (novel == 0 || others == 0)
      throw Error("the test samples are all normal or all novel; give it some of both");
    report.number("found", found / novel);
    report.number("false_alarms", alarms / others);
  }

 private:
  std::int32_t normal_in(std::span<const std::string> classes) const {
    if (classes.empty()) throw Error("the data have no classes; name them in the source's 'label'");
    if (normal_.empty()) return 0;
    const auto at = std::ranges::find(classes, normal_);
    if (at == classes.end())
      throw Error("there is no class '" + normal_ + "'; 'normal' takes one of the data's classes");
    return static_cast<std::int32_t>(at - classes.begin());
  }

  std::string normal_;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
