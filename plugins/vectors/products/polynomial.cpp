// SPDX-License-Identifier: MIT
#include "products/column_measure.hpp"
#include "products/sample_factor.hpp"
#include "semblance/declaration.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = (scale <b, x> + offset)^degree.
class Polynomial final : public WithFactor<ProductMeasure<Polynomial>>, public SupportVectorKernel {
 public:
  Polynomial() { given_ = "1"; }
  static Declaration<Polynomial> declare();
  template <class T>
  T value(T product) const {
    return power(static_cast<T>(factor()) * product + static_cast<T>(offset_), degree_);
  }
  double operations() const noexcept override {
    return 2 * columns() + 2 + static_cast<double>(degree_);
  }
  void describe(SupportVectorMachine& machine) const override {
    machine.kernel = SupportVectorMachine::Kernel::polynomial;
    machine.degree = static_cast<int>(degree_);
    machine.gamma = factor();
    machine.coef0 = offset_;
    describe_bases(machine);
  }
  bool positive_semidefinite() const noexcept override { return offset_ >= 0; }

 private:
  std::optional<gpu::PairMeasure> on_device() const override {
    return gpu::PairMeasure{gpu::PairSum::product, gpu::Finish::power, factor(), offset_,
                            static_cast<int>(degree_)};
  }

  std::int64_t degree_ = 2;
  double offset_ = 1;
};

Declaration<Polynomial> Polynomial::declare() {
  return Declaration<Polynomial>("similarity/polynomial",
                                 "Polynomial kernel (scale <b, x> + offset)^degree")
      .parameter("degree", &Polynomial::degree_,
                 "the exponent: the larger, the more complex the boundaries", at_least(1),
                 at_most(64))
      .parameter("offset", &Polynomial::offset_,
                 "added to the scaled inner product: the larger, the more lower powers count")
      .parameter("scale", &Polynomial::given_,
                 "factor on the inner product: a number; scale: 1 / (columns * variance of all "
                 "values of the training samples); auto: 1 / columns",
                 choices({"scale", "auto"}), above(0))
      .parameter("precision", &Polynomial::precision_, precision_documentation,
                 choices({"fp32", "bf16"}))
      .symmetric()
      .uses_device()
      .accepts_sparse()
      .documentation(
          "Positive semi-definite for a non-negative offset. Powers grow fast: scale the samples "
          "so that inner products are about one, or set `scale: scale`, which is scikit-learn's "
          "gamma: in a kernel machine it is learned from all training samples, in a map from its "
          "bases, and the model holds the learned number.")
      .complexity(
          "2d + degree operations per pair for d values; one packed matrix product per block. "
          "Sparse samples: a fraction of that, as only values other than 0 are multiplied; 16 "
          "bytes per value of the bases")
      .reference("Boser, Guyon, Vapnik, A training algorithm for optimal margin classifiers, 1992")
      .example(R"(
        points: {is: source/xor}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/polynomial, degree: 2, offset: 1}, from: points}
        test:   {is: evaluator/classification, from: svm}
        plane:  {is: evaluator/boundary, from: svm})");
}

}  // namespace

ComponentEntry declare_polynomial() { return Polynomial::declare().entry(); }

}  // namespace semblance::vectors
