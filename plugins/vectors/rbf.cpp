// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "plain_sums.hpp"
#include "sample_factor.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/exponential.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = exp(-gamma |b - x|^2).
class Rbf final : public StoredBases,
                  public SampleFactor,
                  public Exportable,
                  public SupportVectorKernel {
 public:
  Rbf() : SampleFactor("scale") {}
  static Declaration<Rbf> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  std::optional<PartsMake> parts_make() const override {
    return bf16() ? std::nullopt : std::optional(PartsMake::product);
  }
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override;
  bool chooses_bases() const noexcept override { return copies_bases(); }
  std::unique_ptr<Similarity> choose_bases(std::span<const std::uint32_t> bases) const override;
  bool positive_semidefinite() const noexcept override { return true; }
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
    return gpu::PairMeasure{gpu::PairSum::squared_difference, gpu::Finish::exponential, -factor()};
  }
  void learn(MatrixView bases) override;
  numerics::DistanceNeed need() const noexcept;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  std::vector<float> norms_;  // squared, of the bases
};

Declaration<Rbf> Rbf::declare() {
  return Declaration<Rbf>("similarity/rbf", "Gaussian radial basis function exp(-gamma |b - x|^2)")
      .parameter("gamma", &Rbf::given_,
                 "inverse squared width: a number; scale: 1 / (columns * variance of all values of "
                 "the training samples); auto: 1 / columns",
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

void Rbf::prepare(const Layout& input) {
  StoredBases::prepare(input);
  bind_factor(input);
}

double Rbf::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 20.0;
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

void Rbf::compare_with_itself(MatrixView rows, float* values) const {
  std::fill_n(values, rows.rows, 1.0f);
}

/// Smaller errors of values, and values below exp(-17) = 4e-8, are irrelevant.
numerics::DistanceNeed Rbf::need() const noexcept {
  constexpr double most_error = 1e-4, far = 17;
  return {static_cast<float>(most_error / factor()), 0, static_cast<float>(far / factor())};
}

void Rbf::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j)
    values[j] = std::exp(-factor() * plain_sum(bases, j, x, bf16(), [](double b, double y) {
      return (b - y) * (b - y);
    }));
}

void Rbf::compare_parts(std::span<const float> basis, std::span<const float> x,
                        std::span<double> parts) const {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double difference = double{basis[k]} - double{x[k]};
    parts[k] = std::exp(-factor() * difference * difference);
  }
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
    const auto values = out.row_span(i);
    const bool numbers = std::ranges::none_of(values, [](float d) { return std::isnan(d); });
    for (float& distance : values) distance = std::max(distance, 0.0F);
    numerics::exponentiate(values.data(), values.size(), -gamma);
    if (!numbers) std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
  }
}

/// In double if float32 does not suffice about the bases' mean: the exported formula may compute
/// distances by products.
Formula::Value Rbf::write(Formula& formula, Formula::Value in) const {
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
  const auto x =
      numerics::products_suffice(norms, norms, dense.cols, need()) ? in : formula.widen(in);
  const auto distances = formula.squared_distances(x, exported_bases().view());
  const auto values =
      formula.exponential(formula.multiply(distances, formula.number(-factor(), distances)));
  return formula.wide(values) ? formula.narrow(values) : values;
}

void Rbf::describe(SupportVectorMachine& machine) const {
  machine.kernel = SupportVectorMachine::Kernel::rbf;
  machine.gamma = factor();
  describe_bases(machine);
}

}  // namespace

ComponentEntry declare_rbf() { return Rbf::declare().entry(); }

}  // namespace semblance::vectors
