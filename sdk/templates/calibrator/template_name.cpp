#include <algorithm>

#include "semblance/calibrator.hpp"
#include "semblance/plugin.hpp"
#include "semblance/predicted_class.hpp"

namespace plugin {
using namespace semblance;

/// The class with the largest score gets the accuracy on held-out samples as its probability; the
/// other classes share the rest equally.
class TemplateNameCalibrator final : public Calibrator {
 public:
  static Declaration<TemplateNameCalibrator> declare() {
    return Declaration<TemplateNameCalibrator>("calibrator/template_name",
                                               "One probability for every prediction")
        .documentation(
            "The probability of the predicted class is the share of held-out rows "
            "whose class is predicted right; it is no smaller than that of the others.")
        .reports({"right", "share of held-out rows that are right", FigureUnit::share,
                  Better::higher, true})
        .complexity("one pass over the scores")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          svm:    {is: solver/linear_svm, C: 1, from: x}
          mine:   {is: calibrator/template_name, from: svm}
          test:   {is: evaluator/calibration, from: mine})");
  }

  void fit(const HeldOutScores& held_out, Report& report, Context& context) override {
    context.check_stop();
    double right = 0;
    for (std::size_t i = 0; i < held_out.labels.size(); ++i)
      right += predicted_class(held_out.scores.row_span(i)) == held_out.labels[i];
    right_ = right / static_cast<double>(held_out.labels.size());
    report.number("right", right_);
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    const auto classes = static_cast<double>(in.cols);
    const double best = std::max(right_, 1 / classes);
    const double other = classes > 1 ? (1 - best) / (classes - 1) : 0;
    for (std::size_t i = 0; i < in.rows; ++i) {
      const auto predicted = static_cast<std::size_t>(predicted_class(in.row_span(i)));
      for (std::size_t c = 0; c < in.cols; ++c)
        out.row(i)[c] = static_cast<float>(c == predicted ? best : other);
    }
  }

  void save(StateWriter& state) const override { state.number("right", right_); }
  void load(const StateReader& state, Context&) override {
    right_ = state.number("right");
    if (!(right_ >= 0 && right_ <= 1)) throw Error("the saved share of right rows is none");
  }

 private:
  double right_ = 0;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameCalibrator)
