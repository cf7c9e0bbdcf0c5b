// SPDX-License-Identifier: MIT
#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = <b, x>.
class Linear final : public ProductMeasure<Linear>, public SupportVectorKernel {
 public:
  static Declaration<Linear> declare() {
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

  template <class T>
  T value(T product) const {
    return product;
  }
  double operations() const noexcept override { return 2 * columns(); }
  void describe(SupportVectorMachine& machine) const override {
    machine.kernel = SupportVectorMachine::Kernel::linear;
    describe_bases(machine);
  }
  std::optional<PartsMake> parts_make() const override {
    return bf16() ? std::nullopt : std::optional(PartsMake::sum);
  }
  bool positive_semidefinite() const noexcept override { return true; }
  /// Users hold values for all columns, which would be most of the memory for few rows of many.
  bool inner_product() const noexcept override {
    constexpr std::size_t most_columns = std::size_t{1} << 20;
    return !bf16() && !(sparse() && layout().size() > most_columns);
  }

 private:
  std::optional<gpu::PairMeasure> on_device() const override { return gpu::PairMeasure{}; }
};

}  // namespace

ComponentEntry declare_linear() { return Linear::declare().entry(); }

}  // namespace semblance::vectors
