#include <algorithm>
#include <cmath>

#include "semblance/novelty_detector.hpp"
#include "semblance/plugin.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// A ball around the mean m of the training samples: a sample outside is novel. The score is
/// r - |x - m|.
class TemplateNameDetector final : public semblance::NoveltyDetector {
 public:
  static Declaration<TemplateNameDetector> declare() {
    return Declaration<TemplateNameDetector>("solver/template_name",
                                             "A ball around the mean of the training samples")
        .parameter("novel", &TemplateNameDetector::novel_,
                   "the share of the training samples that may be outside of the ball", at_least(0),
                   below(1))
        .reports({"objective", "radius of the ball", FigureUnit::plain, Better::lower})
        .reports({"duality_gap", "always 0", FigureUnit::plain, Better::lower})
        .complexity("training: two passes over the rows; prediction: 3d operations per sample")
        .documentation(
            "The score is r - |x - m|, where m is the mean of the training samples, and r the "
            "smallest radius of a ball around it that contains the share 1 - `novel` of them. "
            "Classes and other targets are ignored.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          mine:   {is: solver/template_name, novel: 0.1, from: x})");
  }

  /// One score per sample; depth 0 until it is trained or loaded.
  Layout bind(const Layout& input) override {
    values_ = input.size();
    return Layout::vector(mean_.empty() ? 0 : 1);
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    const std::size_t rows = training.rows.rows();
    if (rows == 0) throw Error("there are no training samples; give the source some");
    std::vector<double> mean(values_);
    for_each_row(training, context, [&](const float* row) {
      for (std::size_t j = 0; j < values_; ++j)
        mean[j] += double{row[j]} / static_cast<double>(rows);
    });
    mean_ = std::move(mean);
    std::vector<double> distances;
    for_each_row(training, context, [&](const float* row) { distances.push_back(distance(row)); });
    const auto outside = static_cast<std::size_t>(novel_ * static_cast<double>(rows));
    std::ranges::sort(distances);
    radius_ = distances[rows - 1 - outside];
    report.text("certificate", name(Certificate::converged));
    report.number("objective", radius_);
    report.number("duality_gap", 0);  // nothing is minimized step by step: the gap is closed
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      out.row(i)[0] = static_cast<float>(radius_ - distance(in.row(i)));
    }
  }

  void save(StateWriter& state) const override {
    state.doubles("mean", mean_);
    state.number("radius", radius_);
  }

  void load(const StateReader& state, Context&) override {
    mean_ = state.doubles("mean");
    radius_ = state.number("radius");
    if (mean_.size() != values_)
      throw Error("the saved mean has " + std::to_string(mean_.size()) + " values, the samples " +
                  std::to_string(values_));
  }

 private:
  /// Block by block, in order: the same bits with any number of threads. Before all rows are read
  /// there is no model, so a stop ends the training.
  template <class Body>
  static void for_each_row(const TrainingSet& training, Context& context, const Body& body) {
    const std::size_t rows = training.rows.rows();
    for (std::size_t first = 0; first < rows; first += block_rows) {
      context.check_stop();
      const std::size_t count = std::min(block_rows, rows - first);
      const MatrixView block = training.rows.view(first, count);
      for (std::size_t i = 0; i < count; ++i) body(block.row(i));
      training.rows.release(first, count);
    }
  }

  double distance(const float* sample) const {
    double sum = 0;
    for (std::size_t j = 0; j < values_; ++j) {
      const double difference = double{sample[j]} - mean_[j];
      sum += difference * difference;
    }
    return std::sqrt(sum);
  }

  double novel_ = 0.05;
  std::size_t values_ = 0;  ///< of a sample
  std::vector<double> mean_;
  double radius_ = 0;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameDetector)
