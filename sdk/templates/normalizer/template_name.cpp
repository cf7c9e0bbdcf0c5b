#include <algorithm>
#include <cmath>

#include "semblance/normalizer.hpp"
#include "semblance/plugin.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// Divides each column by its largest magnitude in the training rows: zeros stay zeros, which
/// subtracting a mean would undo.
class TemplateNameNormalizer final : public semblance::Normalizer {
 public:
  static Declaration<TemplateNameNormalizer> declare() {
    return Declaration<TemplateNameNormalizer>("normalizer/template_name",
                                               "Divides each column by its largest magnitude")
        .parameter("limit", &TemplateNameNormalizer::limit_,
                   "the largest magnitude in the result, for training rows", above(0))
        .documentation("A column that is zero in all training rows stays unchanged.")
        .complexity("fit: one pass over the training rows; apply: one")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          mine:   {is: normalizer/template_name, from: hog}
          svm:    {is: solver/linear_svm, C: 0.01, from: mine}
          test:   {is: evaluator/classification, from: svm})")
        .inexpensive();
  }

  Layout bind(const Layout& input) override {
    columns_ = input.size();
    return input;
  }

  void fit(const TrainingSet& training, Context& context) override {
    // One row of maxima per block; their order does not matter. Sums would have to be added block
    // by block afterwards, to have the same bits with any number of threads.
    FloatMatrix largest(block_count(training.rows.rows()), columns_);
    for_each_block(training.rows, context, [&](std::size_t block, std::size_t, MatrixView rows) {
      context.check_stop();
      float* largest_here = largest.view().row(block);
      for (std::size_t i = 0; i < rows.rows; ++i)
        for (std::size_t j = 0; j < columns_; ++j)
          largest_here[j] = std::max(largest_here[j], std::abs(rows.row(i)[j]));
    });
    scale_.assign(columns_, 1);
    for (std::size_t j = 0; j < columns_; ++j) {
      float all = 0;
      for (std::size_t block = 0; block < largest.rows; ++block)
        all = std::max(all, largest.view().row(block)[j]);
      if (all > 0) scale_[j] = limit_ / static_cast<double>(all);
    }
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      for (std::size_t j = 0; j < in.cols; ++j)
        out.row(i)[j] = static_cast<float>(scale_[j] * static_cast<double>(in.row(i)[j]));
    }
  }

  void save(StateWriter& state) const override { state.doubles("scale", scale_); }

  void load(const StateReader& state, Context&) override {
    scale_ = state.doubles("scale");
    if (scale_.size() != columns_)
      throw Error("the saved scale is for " + std::to_string(scale_.size()) +
                  " columns, the samples have " + std::to_string(columns_));
  }

 private:
  double limit_ = 1;
  std::size_t columns_ = 0;
  std::vector<double> scale_;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameNormalizer)
