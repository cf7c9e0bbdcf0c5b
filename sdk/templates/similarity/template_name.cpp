#include "semblance/column_similarity.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// The Cauchy kernel s(b, x) = 1 / (1 + |b - x|^2 / width^2): like a Gaussian, with a longer reach.
class TemplateNameSimilarity final : public ColumnSimilarity<TemplateNameSimilarity> {
 public:
  static Declaration<TemplateNameSimilarity> declare() {
    return Declaration<TemplateNameSimilarity>("similarity/template_name",
                                               "Cauchy kernel 1 / (1 + |b - x|^2 / width^2)")
        .parameter("width", &TemplateNameSimilarity::width_, "the distance at which it is 1/2",
                   above(0))
        .symmetric()
        .accepts_sparse()
        .complexity("3d operations per pair for d values")
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

  /// What a column adds to the sum.
  template <class T>
  T term(T b, T x) const {
    return (b - x) * (b - x);
  }

  /// The similarity, from the sum.
  template <class T>
  T value(T sum) const {
    return static_cast<T>(1 / (1 + sum / width_ / width_));
  }

  /// A theorem: it is a mixture of Gaussians of all widths.
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  double width_ = 1;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSimilarity)
