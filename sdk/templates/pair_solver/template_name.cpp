#include <algorithm>

#include "semblance/pair_solver.hpp"
#include "semblance/plugin.hpp"
#include "semblance/solver.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// Two samples belong to the same class if they are near: f(u, v) = t - |u - v|^2, with the
/// threshold t that has the fewest errors on the training pairs.
class TemplateNameSolver final : public semblance::PairSolver {
 public:
  static Declaration<TemplateNameSolver> declare() {
    return Declaration<TemplateNameSolver>("solver/template_name",
                                           "A threshold on the distance of two samples")
        .reports(
            {"objective", "error rate on the training pairs", FigureUnit::share, Better::lower})
        .reports({"duality_gap", "always 0", FigureUnit::plain, Better::lower})
        .reports({"threshold", "squared distance up to which two samples count as one class"})
        .documentation("Reports threshold, and objective, the error rate on the training pairs.")
        .complexity("n log n for n pairs, plus one distance per pair")
        .example(R"(
          glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          pairs:  {is: pairs/all, from: glyphs}
          mine:   {is: solver/template_name, from: x, pairs: pairs}
          test:   {is: evaluator/verification, from: mine})");
  }

  void bind(const Layout& input) override { values_ = input.size(); }

  void train(const PairTrainingSet& training, Report& report, Context& context) override {
    struct Measured {
      float distance;
      std::int32_t label;
    };
    std::vector<Measured> measured;
    std::size_t errors = 0;  // if all pairs are predicted to be of two classes
    Certificate certificate = Certificate::converged;
    for (const Pair& pair : training.pairs.expanded()) {
      if (context.stop_requested() != StopReason::none) {
        certificate = stop_certificate(context);
        break;  // the samples seen make the best model so far
      }
      measured.push_back({distance(training.rows, pair), pair.label});
      errors += pair.label > 0;
    }
    std::sort(measured.begin(), measured.end(),
              [](const Measured& a, const Measured& b) { return a.distance < b.distance; });
    std::size_t fewest = errors;
    threshold_ = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      errors = measured[i].label > 0 ? errors - 1 : errors + 1;
      const bool last = i + 1 == measured.size();
      if (!last && measured[i + 1].distance == measured[i].distance) continue;
      if (errors >= fewest) continue;
      fewest = errors;
      const double here = measured[i].distance;
      threshold_ = last ? here + 1 : (here + static_cast<double>(measured[i + 1].distance)) / 2;
    }
    report.text("certificate", name(certificate));
    report.number("objective", static_cast<double>(fewest) /
                                   static_cast<double>(std::max<std::size_t>(1, measured.size())));
    report.number("duality_gap", 0);
    report.number("threshold", threshold_);
  }

  void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
             Context& context) const override {
    const std::vector<Pair> all = pairs.expanded();
    constexpr std::size_t at_once = 1024;
    context.parallel_for((all.size() + at_once - 1) / at_once, [&](std::size_t part) {
      context.check_stop();
      const std::size_t end = std::min(all.size(), (part + 1) * at_once);
      for (std::size_t i = part * at_once; i < end; ++i)
        out[i] = static_cast<float>(threshold_ - static_cast<double>(distance(rows, all[i])));
    });
  }

  void save(StateWriter& state) const override { state.number("threshold", threshold_); }
  void load(const StateReader& state, Context&) override { threshold_ = state.number("threshold"); }

 private:
  /// The squared distance.
  float distance(const Rows& rows, const Pair& pair) const {
    const MatrixView u = rows.view(static_cast<std::size_t>(pair.first), 1);
    const MatrixView v = rows.view(static_cast<std::size_t>(pair.second), 1);
    float sum = 0;
    for (std::size_t j = 0; j < values_; ++j) {
      const float difference = u.row(0)[j] - v.row(0)[j];
      sum += difference * difference;
    }
    return sum;
  }

  std::size_t values_ = 0;  ///< of a sample
  double threshold_ = 0;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSolver)
