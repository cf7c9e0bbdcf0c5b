#include <algorithm>
#include <numeric>

#include "semblance/plugin.hpp"
#include "semblance/regressor.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// The nearest neighbours: an estimate is the mean of the numbers of the k training samples that
/// are nearest to the sample.
class TemplateNameRegressor final : public semblance::Regressor {
 public:
  static Declaration<TemplateNameRegressor> declare() {
    return Declaration<TemplateNameRegressor>("solver/template_name",
                                              "The mean of the nearest neighbours' numbers")
        .parameter("neighbours", &TemplateNameRegressor::neighbours_,
                   "how many of the nearest training samples to average", at_least(1),
                   at_most(1000))
        .reports({"objective", "always 0", FigureUnit::plain, Better::lower})
        .reports({"duality_gap", "always 0", FigureUnit::plain, Better::lower})
        .complexity("training: one copy of the rows; prediction: 3nd operations per sample")
        .documentation(
            "Distances are Euclidean. Of training samples at the same distance, those that come "
            "first are taken.")
        .example(R"(
          table: {is: source/friedman}
          x:     {is: normalizer/zscore, from: table}
          mine:  {is: solver/template_name, from: x}
          test:  {is: evaluator/regression, from: mine})");
  }

  /// One estimate per number to predict; depth 0 until it is trained or loaded.
  Layout bind(const Layout& input) override {
    values_ = input.size();
    return Layout::vector(rows_.rows == 0 ? 0 : targets_.size() / rows_.rows);
  }

  void train(const TrainingSet& training, Report& report, Context& context) override {
    rows_ = FloatMatrix(training.rows.rows(), values_);
    for (std::size_t first = 0; first < rows_.rows; first += block_rows) {
      context.check_stop();  // there is no model before all rows are read
      const std::size_t count = std::min(block_rows, rows_.rows - first);
      copy_rows(training.rows.view(first, count), rows_.view().rows_range(first, count));
      training.rows.release(first, count);
      context.progress(static_cast<double>(first + count), static_cast<double>(rows_.rows));
    }
    targets_.assign(training.targets.begin(), training.targets.end());
    report.text("certificate", name(Certificate::converged));
    report.number("objective", 0);  // nothing is minimized step by step: the gap is closed
    report.number("duality_gap", 0);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    std::vector<double> distances(rows_.rows);
    std::vector<std::size_t> order(rows_.rows);
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      for (std::size_t r = 0; r < rows_.rows; ++r) distances[r] = squared_distance(in.row(i), r);
      average(nearest(distances, order), out.row_span(i));
    }
  }

  void save(StateWriter& state) const override {
    state.floats("rows", rows_.view());
    state.doubles("targets", targets_);
  }

  void load(const StateReader& state, Context&) override {
    rows_ = state.floats("rows");
    targets_ = state.doubles("targets");
    if (rows_.cols != values_)
      throw Error("the saved rows have " + std::to_string(rows_.cols) + " values, the samples " +
                  std::to_string(values_));
    if (rows_.rows == 0 || targets_.empty() || targets_.size() % rows_.rows != 0)
      throw Error("there are " + std::to_string(targets_.size()) + " saved numbers for " +
                  std::to_string(rows_.rows) + " rows; train it again");
  }

 private:
  double squared_distance(const float* sample, std::size_t row) const {
    double sum = 0;
    for (std::size_t j = 0; j < values_; ++j) {
      const double difference = double{sample[j]} - double{rows_.view().row(row)[j]};
      sum += difference * difference;
    }
    return sum;
  }

  /// The nearest rows; `order` is memory for this function.
  std::span<const std::size_t> nearest(const std::vector<double>& distances,
                                       std::vector<std::size_t>& order) const {
    const std::size_t count = std::min(order.size(), static_cast<std::size_t>(neighbours_));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](std::size_t a, std::size_t b) {
                        return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
                      });
    return std::span(order).first(count);
  }

  void average(std::span<const std::size_t> rows, std::span<float> estimates) const {
    for (std::size_t t = 0; t < estimates.size(); ++t) {
      double sum = 0;
      for (const std::size_t row : rows) sum += targets_[row * estimates.size() + t];
      estimates[t] = static_cast<float>(sum / static_cast<double>(rows.size()));
    }
  }

  std::int64_t neighbours_ = 5;
  std::size_t values_ = 0;       ///< of a sample
  FloatMatrix rows_;             ///< the training samples
  std::vector<double> targets_;  ///< as in TrainingSet
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameRegressor)
