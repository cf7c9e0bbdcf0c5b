#include <cmath>
#include <memory>

#include "semblance/pair_kernel.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// K((a, b), (c, d)) = (k(a, c) k(b, d) + k(a, d) k(b, c))^degree: a power of a kernel between
/// pairs, and so a kernel; the order in a pair does not matter.
class TemplateNamePairKernel final : public semblance::PairKernel {
 public:
  static Declaration<TemplateNamePairKernel> declare() {
    return Declaration<TemplateNamePairKernel>("pair_kernel/template_name",
                                               "(k(a, c) k(b, d) + k(a, d) k(b, c))^degree")
        .parameter("kernel", &TemplateNamePairKernel::kernel_, "k, between single examples",
                   default_component("similarity/linear"))
        .parameter("degree", &TemplateNamePairKernel::degree_, "the exponent", at_least(1),
                   at_most(10))
        .complexity("a few operations a value");
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
