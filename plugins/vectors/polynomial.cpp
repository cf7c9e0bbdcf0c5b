// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "plain_sums.hpp"
#include "sample_factor.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = (scale <b, x> + offset)^degree.
class Polynomial final : public StoredBases,
                         public SampleFactor,
                         public Exportable,
                         public SupportVectorKernel {
 public:
  Polynomial() : SampleFactor("1") {}
  static Declaration<Polynomial> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  bool positive_semidefinite() const noexcept override { return offset_ >= 0; }
  bool learns_from_bases() const noexcept override { return factor_from_bases(); }

 private:
  void prepare(const Layout& input) override;
  void learn_from_bases(MatrixView bases, Context& context) override {
    learn_factor(bases, context);
  }
  void save_learned(StateWriter& state) const override { save_factor(state); }
  void load_learned(const StateReader& state) override { load_factor(state); }
  bool takes_sparse() const noexcept override { return true; }
  std::optional<gpu::PairMeasure> on_device() const override {
    return gpu::PairMeasure{gpu::PairSum::product, gpu::Finish::power, factor(), offset_,
                            static_cast<int>(degree_)};
  }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  /// Turns inner products into values of the kernel.
  void raise(std::span<float> products) const;

  std::int64_t degree_ = 2;
  double offset_ = 1;
};

Declaration<Polynomial> Polynomial::declare() {
  return Declaration<Polynomial>("similarity/polynomial",
                                 "Polynomial kernel (scale <b, x> + offset)^degree")
      .parameter("degree", &Polynomial::degree_, "the exponent", at_least(1), at_most(64))
      .parameter("offset", &Polynomial::offset_, "added to the scaled inner product")
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

void Polynomial::prepare(const Layout& input) {
  StoredBases::prepare(input);
  bind_factor(input);
}

double Polynomial::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 2.0 + static_cast<double>(degree_);
}

void Polynomial::raise(std::span<float> products) const {
  const auto scale = static_cast<float>(factor()), offset = static_cast<float>(offset_);
  for (float& value : products) {
    const float base = scale * value + offset;
    float power = base;
    for (std::int64_t p = 1; p < degree_; ++p) power *= base;
    value = power;
  }
}

void Polynomial::compare_with_itself(MatrixView rows, float* values) const {
  squared_norms(rows, values);
  raise({values, rows.rows});
}

void Polynomial::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j)
    values[j] = std::pow(factor() * plain_product(bases, j, x, bf16()) + offset_,
                         static_cast<double>(degree_));
}

void Polynomial::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                         Context& context) const {
  inner_products(in, first, out, context);
  for (std::size_t i = 0; i < out.rows; ++i) raise(out.row_span(i));
}

Formula::Value Polynomial::write(Formula& formula, Formula::Value in) const {
  const auto products = formula.products(in, exported_bases().view());
  const auto scaled = formula.multiply(products, formula.number(factor(), products));
  const auto base = formula.add(scaled, formula.number(offset_, scaled));
  return formula.power(base, static_cast<std::size_t>(degree_));
}

void Polynomial::describe(SupportVectorMachine& machine) const {
  machine.kernel = SupportVectorMachine::Kernel::polynomial;
  machine.degree = static_cast<int>(degree_);
  machine.gamma = factor();
  machine.coef0 = offset_;
  describe_bases(machine);
}

}  // namespace

ComponentEntry declare_polynomial() { return Polynomial::declare().entry(); }

}  // namespace semblance::vectors
