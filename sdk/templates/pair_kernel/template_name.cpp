#include <cmath>
#include <memory>

#include "semblance/pair_kernel.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// K((a, b), (c, d)) = (k(a, c) k(b, d) + k(a, d) k(b, c))^degree: a power of a kernel between
/// pairs is a kernel; the order within a pair does not matter.
class TemplateNamePairKernel final : public semblance::PairKernel {
 public:
  static Declaration<TemplateNamePairKernel> declare() {
    return Declaration<TemplateNamePairKernel>("pair_kernel/template_name",
                                               "(k(a, c) k(b, d) + k(a, d) k(b, c))^degree")
        .parameter("kernel", &TemplateNamePairKernel::kernel_, "k, between single examples",
                   default_component("similarity/linear"))
        .parameter("degree", &TemplateNamePairKernel::degree_, "the exponent", at_least(1),
                   at_most(10))
        .complexity("a few operations per value")
        .documentation("Compares the pairs (a, b) and (c, d); the order in a pair does not matter.")
        .example(R"(
          glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          pairs:  {is: pairs/all, from: glyphs}
          svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/template_name}, from: x, pairs: pairs}
          test:   {is: evaluator/verification, from: svm})");
  }

  Similarity& standard_kernel() const noexcept override { return *kernel_; }

  double evaluate(const StandardKernelValues& k) const noexcept override {
    return std::pow(k.ac * k.bd + k.ad * k.bc, static_cast<double>(degree_));
  }

  bool symmetric() const noexcept override { return true; }

 private:
  std::unique_ptr<Similarity> kernel_;
  std::int64_t degree_ = 1;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNamePairKernel)
