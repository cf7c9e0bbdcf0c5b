#include "semblance/plugin.hpp"
#include "semblance/similarity.hpp"
#include "semblance/state.hpp"

namespace plugin {
using namespace semblance;

/// The Cauchy kernel s(b, x) = 1 / (1 + |b - x|^2 / width^2): like a Gaussian, with a longer reach.
class TemplateNameSimilarity final : public semblance::Similarity {
 public:
  static Declaration<TemplateNameSimilarity> declare() {
    return Declaration<TemplateNameSimilarity>("similarity/template_name",
                                               "Cauchy kernel 1 / (1 + |b - x|^2 / width^2)")
        .parameter("width", &TemplateNameSimilarity::width_, "the distance at which it is 1/2",
                   above(0))
        .symmetric()
        .complexity("3d operations a pair for d values")
        .documentation("Like a Gaussian, with a longer reach; positive semi-definite.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          bases:  {is: basis/index, per_class: 10, from: glyphs}
          mine:   {is: similarity/template_name, width: 1, from: x, bases: bases}
          map:    {is: normalizer/mean_norm, from: mine}
          svm:    {is: solver/linear_svm, C: 1, from: map}
          test:   {is: evaluator/classification, from: svm})");
  }

  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) override {
    if (bases.cols != values_)
      throw Error("the bases have " + std::to_string(bases.cols) + " values, the samples " +
                  std::to_string(values_));
    bases_ = FloatMatrix(bases);
  }

  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 3.0 * static_cast<double>(values_); }

  /// A theorem: it is a mixture of Gaussians of all widths.
  bool positive_semidefinite() const noexcept override { return true; }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_range(in, 0, out, context);
  }

  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const override {
    if (first > bases() || out.cols > bases() - first)
      throw Error("there are only " + std::to_string(bases()) + " bases");
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      for (std::size_t j = 0; j < out.cols; ++j)
        out.row(i)[j] = compare(bases_.view().row(first + j), in.row(i));
    }
  }

  void save(StateWriter& state) const override { state.floats("bases", bases_.view()); }

  void load(const StateReader& state, Context&) override {
    bases_ = state.floats("bases");
    if (bases_.cols != values_)
      throw Error("the saved bases have " + std::to_string(bases_.cols) + " values, the samples " +
                  std::to_string(values_));
  }

 private:
  /// Any layout will do: it compares value by value.
  void prepare(const Layout& input) override { values_ = input.size(); }

  float compare(const float* basis, const float* sample) const {
    float distance = 0;  // squared
    for (std::size_t k = 0; k < values_; ++k) {
      const float difference = basis[k] - sample[k];
      distance += difference * difference;
    }
    return static_cast<float>(1 / (1 + static_cast<double>(distance) / (width_ * width_)));
  }

  double width_ = 1;
  std::size_t values_ = 0;  ///< of a sample
  FloatMatrix bases_;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSimilarity)
