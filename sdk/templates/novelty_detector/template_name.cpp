#include <algorithm>
#include <cmath>

#include "semblance/novelty_detector.hpp"
#include "semblance/plugin.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// A ball of radius r around the mean m of the training samples: a sample outside is novel. The
/// score is r - |x - m|.
class TemplateNameDetector final : public semblance::NoveltyDetector {
 public:
  static Declaration<TemplateNameDetector> declare() {
    return Declaration<TemplateNameDetector>("solver/template_name",
                                             "A ball around the mean of the training samples")
        .parameter("novel", &TemplateNameDetector::novel_,
                   "the share of the learned samples that may be outside of the ball", at_least(0),
                   below(1))
        .parameter("normal", &TemplateNameDetector::normal_,
                   "the class to learn from. Empty: all training samples")
        .reports({"objective", "radius of the ball", FigureUnit::plain, Better::lower})
        .reports({"duality_gap", "always 0", FigureUnit::plain, Better::lower})
        .complexity("training: two passes over the rows; prediction: 3d operations per sample")
        .documentation(
            "The score is r - |x - m|, where m is the mean of the training samples, and r the "
            "smallest radius of a ball around it that contains the share 1 - `novel` of them.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          mine:   {is: solver/template_name, normal: circle, from: x}
          test:   {is: evaluator/novelty, normal: circle, from: mine})");
  }

  /// One score per sample; depth 0 until it is trained or loaded.
  Layout bind(const Layout& input) override {
    values_ = input.size();
    return Layout::vector(mean_.empty() ? 0 : 1);
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    const auto learned = learned_rows(training);
    const auto count = static_cast<double>(std::ranges::count(learned, true));
    if (count == 0) throw Error("there are no training samples to learn from");
    std::vector<double> mean(values_), distances;
    for_each(training, learned, context, [&](const float* row) {
      for (std::size_t j = 0; j < values_; ++j) mean[j] += double{row[j]} / count;
    });
    mean_ = std::move(mean);
    for_each(training, learned, context,
             [&](const float* row) { distances.push_back(distance(row)); });
    if (!std::ranges::all_of(distances, [](double d) { return std::isfinite(d); }))
      throw Error("the training samples have values that are not finite; replace them first");
    std::ranges::sort(distances);
    const auto outside = static_cast<std::size_t>(novel_ * count);
    radius_ = distances[distances.size() - 1 - outside];
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
  std::vector<bool> learned_rows(const TrainingSet& training) const {
    std::vector<bool> learned(training.rows.rows(), true);
    if (normal_.empty()) return learned;
    const auto at = std::ranges::find(training.classes, normal_);
    if (at == training.classes.end())
      throw Error("there is no class '" + normal_ + "'; 'normal' takes one of the data's classes");
    for (std::size_t i = 0; i < learned.size(); ++i)
      learned[i] = training.labels[i] == at - training.classes.begin();
    return learned;
  }

  /// Block by block, in order: the same bits with any number of threads. Before all rows are read
  /// there is no model, so a stop ends the training.
  template <class Body>
  static void for_each(const TrainingSet& training, const std::vector<bool>& learned,
                       Context& context, const Body& body) {
    for (std::size_t first = 0; first < learned.size(); first += block_rows) {
      context.check_stop();
      const std::size_t count = std::min(block_rows, learned.size() - first);
      const MatrixView block = training.rows.view(first, count);
      for (std::size_t i = 0; i < count; ++i)
        if (learned[first + i]) body(block.row(i));
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
  std::string normal_;
  std::size_t values_ = 0;  ///< of a sample
  std::vector<double> mean_;
  double radius_ = 0;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameDetector)
