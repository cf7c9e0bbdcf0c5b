#include <cmath>

#include "semblance/plugin.hpp"
#include "semblance/row_feature.hpp"

namespace plugin {
using namespace semblance;

/// Raises the magnitude of each value to a power and keeps its sign. With powers below 1 large
/// values count less: power normalization (Perronnin, Sanchez and Mensink 2010, section 3.1).
class TemplateNameFeature final : public RowFeature {
 public:
  static Declaration<TemplateNameFeature> declare() {
    return Declaration<TemplateNameFeature>("feature/template_name", "sign(x) |x|^power")
        .parameter("power", &TemplateNameFeature::power_, "the exponent", above(0), at_most(1))
        .reference("Perronnin, Sanchez and Mensink 2010, section 3.1")
        .complexity("one power per value")
        .documentation("With powers below 1 large values count less. Keeps the layout.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          mine:   {is: feature/template_name, power: 0.5, from: hog}
          x:      {is: normalizer/mean_norm, from: mine}
          svm:    {is: solver/linear_svm, C: 1, from: x}
          test:   {is: evaluator/classification, from: svm})")
        .inexpensive();
  }

 private:
  void transform(std::span<const float> in, std::span<float> out) const override {
    for (std::size_t j = 0; j < in.size(); ++j) {
      const double x = in[j];
      out[j] = static_cast<float>(std::copysign(std::pow(std::abs(x), power_), x));
    }
  }

  double power_ = 0.5;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameFeature)
