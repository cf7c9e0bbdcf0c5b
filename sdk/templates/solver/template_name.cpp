#include <algorithm>

#include "semblance/plugin.hpp"
#include "semblance/solver.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// The nearest mean: a sample belongs to the class whose training samples have the nearest mean.
/// The score of class c is -|x - m_c|^2.
class TemplateNameSolver final : public semblance::Solver {
 public:
  static Declaration<TemplateNameSolver> declare() {
    return Declaration<TemplateNameSolver>("solver/template_name",
                                           "The class with the nearest mean")
        .parameter("shrink", &TemplateNameSolver::shrink_,
                   "how far to pull the means towards the mean of all rows", at_least(0), below(1))
        .reports({"objective", "always 0", FigureUnit::plain, Better::lower})
        .reports({"duality_gap", "always 0", FigureUnit::plain, Better::lower})
        .complexity(
            "training: one pass over the rows; prediction: 3d operations per class and sample")
        .documentation(
            "The score of class c is -|x - m_c|^2, where m_c is the mean of its training rows.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          mine:   {is: solver/template_name, from: x}
          test:   {is: evaluator/classification, from: mine})");
  }

  /// Depth 0 until it is trained or loaded.
  Layout bind(const Layout& input) override {
    values_ = input.size();
    return Layout::vector(means_.rows);
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    const std::size_t classes = training.classes.size(), rows = training.rows.rows();
    // Block by block, in order: the same bits with any number of threads.
    std::vector<double> sums(classes * values_), counts(classes);
    Certificate certificate = Certificate::converged;
    for (std::size_t first = 0; first < rows; first += block_rows) {
      if (context.stop_requested() != StopReason::none) {
        certificate = stop_certificate(context);
        break;  // the samples seen make the best model so far
      }
      const std::size_t count = std::min(block_rows, rows - first);
      const MatrixView block = training.rows.view(first, count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto label = static_cast<std::size_t>(training.labels[first + i]);
        counts[label] += 1;
        for (std::size_t j = 0; j < values_; ++j)
          sums[label * values_ + j] += static_cast<double>(block.row(i)[j]);
      }
      training.rows.release(first, count);
      context.progress(static_cast<double>(first + count), static_cast<double>(rows));
    }
    set_means(sums, counts);
    report.text("certificate", name(certificate));
    report.number("objective", 0);  // nothing is minimized step by step: the gap is closed
    report.number("duality_gap", 0);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      for (std::size_t c = 0; c < means_.rows; ++c) {
        const float* mean = means_.view().row(c);
        float distance = 0;  // squared
        for (std::size_t j = 0; j < values_; ++j) {
          const float difference = in.row(i)[j] - mean[j];
          distance += difference * difference;
        }
        out.row(i)[c] = -distance;
      }
    }
  }

  void save(StateWriter& state) const override { state.floats("means", means_.view()); }

  void load(const StateReader& state, Context&) override {
    means_ = state.floats("means");
    if (means_.cols != values_)
      throw Error("the saved means have " + std::to_string(means_.cols) + " values, the samples " +
                  std::to_string(values_));
  }

 private:
  void set_means(const std::vector<double>& sums, const std::vector<double>& counts) {
    const std::size_t classes = counts.size();
    means_ = FloatMatrix(classes, values_);
    double rows = 0;
    for (const double count : counts) rows += count;
    for (std::size_t j = 0; j < values_; ++j) {
      double all = 0;
      for (std::size_t c = 0; c < classes; ++c) all += sums[c * values_ + j];
      all /= std::max(1.0, rows);
      for (std::size_t c = 0; c < classes; ++c) {
        const double mean = counts[c] > 0 ? sums[c * values_ + j] / counts[c] : all;
        means_.view().row(c)[j] = static_cast<float>((1 - shrink_) * mean + shrink_ * all);
      }
    }
  }

  double shrink_ = 0;
  std::size_t values_ = 0;  ///< of a sample
  FloatMatrix means_;       ///< one row per class
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSolver)
