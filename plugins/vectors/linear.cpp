// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "plain_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = <b, x>.
class Linear final : public StoredBases, public Exportable, public SupportVectorKernel {
 public:
  static Declaration<Linear> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  std::optional<PartsMake> parts_make() const override {
    return bf16() ? std::nullopt : std::optional(PartsMake::sum);
  }
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override {
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = double{basis[k]} * double{x[k]};
  }
  bool positive_semidefinite() const noexcept override { return true; }
  /// Users hold values for all columns, which would be most of the memory for few rows of many.
  bool inner_product() const noexcept override {
    constexpr std::size_t most_columns = std::size_t{1} << 20;
    return !bf16() && !(sparse() && layout().size() > most_columns);
  }

 private:
  bool takes_sparse() const noexcept override { return true; }
  std::optional<gpu::PairMeasure> on_device() const override { return gpu::PairMeasure{}; }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
};

Declaration<Linear> Linear::declare() {
  return Declaration<Linear>("similarity/linear", "Inner product <b, x>")
      .parameter("precision", &Linear::precision_, precision_documentation,
                 choices({"fp32", "bf16"}))
      .symmetric()
      .uses_device()
      .accepts_sparse()
      .documentation("Any layout, value by value; as a kernel it gives a linear classifier.")
      .reference("BE-SVM, figure 2: H4L and H8L")
      .complexity(
          "2d operations per pair for d values; one packed matrix product per block. Sparse "
          "samples: a fraction of that, as only values other than 0 are multiplied; 16 bytes per "
          "value of the bases")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/linear, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

double Linear::operations() const noexcept { return 2.0 * static_cast<double>(layout().size()); }

void Linear::compare_with_itself(MatrixView rows, float* values) const {
  squared_norms(rows, values);
}

void Linear::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j) values[j] = plain_product(bases, j, x, bf16());
}

void Linear::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const {
  inner_products(in, first, out, context);
}

Formula::Value Linear::write(Formula& formula, Formula::Value in) const {
  return formula.products(in, exported_bases().view());
}

void Linear::describe(SupportVectorMachine& machine) const {
  machine.kernel = SupportVectorMachine::Kernel::linear;
  describe_bases(machine);
}

}  // namespace

ComponentEntry declare_linear() { return Linear::declare().entry(); }

}  // namespace semblance::vectors
