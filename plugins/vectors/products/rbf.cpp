// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "products/column_measure.hpp"
#include "products/sample_factor.hpp"
#include "semblance/declaration.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/exponential.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = exp(-gamma |b - x|^2).
class Rbf final : public WithFactor<StoredMeasure<Rbf>>, public SupportVectorKernel {
 public:
  static Declaration<Rbf> declare();
  template <class T>
  T term(T b, T x) const {
    return (b - x) * (b - x);
  }
  template <class T>
  T value(T sum) const {
    using std::exp;
    return exp(static_cast<T>(-factor()) * sum);
  }
  double operations() const noexcept override { return 2 * columns() + 20; }
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override {
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = term(double{basis[k]}, double{x[k]});
    numerics::exponentiate(parts.data(), parts.size(), -factor());
  }
  void compare_with_gradient(MatrixView bases, MatrixView x, double* values,
                             double* gradients) const override {
    WithFactor::compare_with_gradient(bases, x, values, gradients);
    compare_plainly(bases, x, values);  // the same bits
  }
  void describe(SupportVectorMachine& machine) const override {
    machine.kernel = SupportVectorMachine::Kernel::rbf;
    machine.gamma = factor();
    describe_bases(machine);
  }
  std::optional<PartsMake> parts_make() const override {
    return bf16() ? std::nullopt : std::optional(PartsMake::product);
  }
  bool chooses_bases() const noexcept override { return copies_bases(); }
  std::unique_ptr<Similarity> choose_bases(std::span<const std::uint32_t> bases) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  std::optional<gpu::PairMeasure> on_device() const override {
    return gpu::PairMeasure{gpu::PairSum::squared_difference, gpu::Finish::exponential, -factor()};
  }
  void learn(MatrixView bases) override;
  numerics::DistanceNeed need() const noexcept;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
  Formula::Value written_row(Formula& formula, Formula::Value in) const override;
  Formula::Value written_sums(Formula& formula, Formula::Value x, MatrixView bases) const override {
    return formula.squared_distances(x, bases);
  }

  std::vector<float> norms_;  // squared, of the bases
};

Declaration<Rbf> Rbf::declare() {
  return Declaration<Rbf>("similarity/rbf", "Gaussian radial basis function exp(-gamma |b - x|^2)")
      .parameter("gamma", &Rbf::given_,
                 "inverse squared width: the larger, the faster similarity falls with distance; a "
                 "number; scale: 1 / (columns * variance of all values of the training samples); "
                 "auto: 1 / columns",
                 choices({"scale", "auto"}), above(0))
      .parameter("precision", &Rbf::precision_, precision_documentation, choices({"fp32", "bf16"}))
      .symmetric()
      .uses_device()
      .accepts_sparse()
      .documentation(
          "The distance is |b|^2 + |x|^2 - 2<b, x> in float32, clipped at zero, exact for b = x, "
          "and else with an error in proportion to |b|^2 + |x|^2. Where that could move a value by "
          "more than 1e-4, because the samples are far from 0 beside the width (a year, a "
          "coordinate), the distance is summed over the differences of the values instead, exact "
          "to a few units in the last place wherever the samples are, in three times the time. "
          "With bf16 it is "
          "the distance of the rounded b and x, norms included: still exactly "
          "1 for b = x, never more, and positive semi-definite; bases whose differences that "
          "rounding takes away are refused.\n"
          "\n"
          "`scale` and `auto` are scikit-learn's. In a kernel machine `scale` is learned from all "
          "training samples, in a map from its bases; the zeros of sparse samples count. If all "
          "values are equal it is 1. The model holds the learned number.")
      .reference("BE-SVM, section 3.1: gamma = 1 on features of mean norm 1 (H4R, H8R)")
      .complexity(
          "2d + 20 operations per pair for d values; one packed matrix product per block. Sparse "
          "samples: a fraction of that, as only values other than 0 are multiplied; 16 bytes per "
          "value of the bases")
      .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

/// As of all such measures, with the exponentials of all bases at once: machines compute the values
/// that they refine their solutions by in this way.
void Rbf::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  reading([&](const auto& read) {
    for (std::size_t j = 0; j < bases.rows; ++j) values[j] = sum<double>(bases, j, x, read);
  });
  numerics::exponentiate(values, bases.rows, -factor());
}

std::unique_ptr<Similarity> Rbf::choose_bases(std::span<const std::uint32_t> bases) const {
  auto chosen = std::make_unique<Rbf>();
  chosen->copy_factor(*this);
  chosen->copy_bases(*this, bases);
  return chosen;
}

void Rbf::learn(MatrixView bases) {
  norms_.resize(bases.rows);
  squared_norms(bases, norms_.data());
}

/// Smaller errors of values, and values below exp(-17) = 4e-8, are irrelevant.
numerics::DistanceNeed Rbf::need() const noexcept {
  constexpr double most_error = 1e-4, far = 17;
  return {static_cast<float>(most_error / factor()), 0, static_cast<float>(far / factor())};
}

void Rbf::compare(MatrixView in, std::size_t first, MutableMatrixView out, Context& context) const {
  const numerics::DistanceNeed need = this->need();
  const auto gamma = static_cast<float>(factor());
  std::vector<float> norms(in.rows);
  squared_norms(in, norms.data());
  inner_products(in, first, out, context);
  const auto of_bases = std::span(norms_).subspan(first, out.cols);
  if (numerics::products_suffice(norms, of_bases, in.cols, need)) {
    for (std::size_t i = 0; i < in.rows; ++i)
      numerics::gaussian_from_products(out.row(i), of_bases.data(), out.cols, norms[i], gamma);
    return;
  }
  distances_from_products(in, norms, norms_, first, need, out, context);
  for (std::size_t i = 0; i < in.rows; ++i) {
    for (float& distance : out.row_span(i)) distance = std::max(distance, 0.0F);
    exponentiate_all(out.row_span(i), factor());
  }
}

/// In double if float32 does not suffice about the bases' mean: the exported formula may compute
/// distances by products.
Formula::Value Rbf::written_row(Formula& formula, Formula::Value in) const {
  FloatMatrix dense(bases(), layout().size());
  std::vector<double> mean(dense.cols);
  for (std::size_t i = 0; i < dense.rows; ++i) {
    const auto row = dense.view().row_span(i);
    kept_basis(i, row);
    for (std::size_t k = 0; k < row.size(); ++k)
      mean[k] += double{row[k]} / static_cast<double>(dense.rows);
  }
  std::vector<float> norms;
  for (std::size_t i = 0; i < dense.rows; ++i) {
    double norm = 0;
    for (std::size_t k = 0; k < dense.cols; ++k)
      norm += std::pow(double{dense.view().row(i)[k]} - mean[k], 2);
    norms.push_back(static_cast<float>(norm));
  }
  return numerics::products_suffice(norms, norms, dense.cols, need()) ? in : formula.widen(in);
}

}  // namespace

ComponentEntry declare_rbf() { return Rbf::declare().entry(); }

}  // namespace semblance::vectors
