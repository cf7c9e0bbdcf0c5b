#include <algorithm>

#include "semblance/evaluator.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// How well the classes are separated before anything is learned: the scatter between the means of
/// the classes over the scatter within the classes (Fisher 1936), summed over all columns.
class TemplateNameEvaluator final : public semblance::SampleEvaluator {
 public:
  static Declaration<TemplateNameEvaluator> declare() {
    return Declaration<TemplateNameEvaluator>("evaluator/template_name",
                                              "Scatter between the classes over scatter within")
        .reports({"separation", "scatter between the classes over scatter within",
                  FigureUnit::plain, Better::higher, true})
        .learns_from({TargetKind::classes})
        .documentation("Reports separation, which is infinite if no class has any scatter.")
        .reference("Fisher 1936")
        .complexity("one pass over the training rows")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          mine:   {is: evaluator/template_name, from: hog})");
  }

  void evaluate(const TrainingSet& training, Report& report, Context& context) const override {
    const std::size_t classes = training.classes.size(), columns = training.rows.cols();
    std::vector<double> counts(classes), sums(classes * columns), squares(classes * columns);
    for (std::size_t first = 0; first < training.rows.rows(); first += block_rows) {
      context.check_stop();
      const std::size_t count = std::min(block_rows, training.rows.rows() - first);
      const MatrixView block = training.rows.view(first, count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto label = static_cast<std::size_t>(training.labels[first + i]);
        counts[label] += 1;
        for (std::size_t j = 0; j < columns; ++j) {
          const double x = block.row(i)[j];
          sums[label * columns + j] += x;
          squares[label * columns + j] += x * x;
        }
      }
    }
    report.number("separation", separation(counts, sums, squares, columns));
  }

 private:
  static double separation(const std::vector<double>& counts, const std::vector<double>& sums,
                           const std::vector<double>& squares, std::size_t columns) {
    double rows = 0, between = 0, within = 0;
    for (const double count : counts) rows += count;
    for (std::size_t j = 0; j < columns; ++j) {
      double total = 0;
      for (std::size_t c = 0; c < counts.size(); ++c) total += sums[c * columns + j];
      for (std::size_t c = 0; c < counts.size(); ++c) {
        if (counts[c] == 0) continue;
        const double mean = sums[c * columns + j] / counts[c], apart = mean - total / rows;
        between += counts[c] * apart * apart;
        within += std::max(0.0, squares[c * columns + j] - counts[c] * mean * mean);
      }
    }
    return between / within;
  }
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameEvaluator)
