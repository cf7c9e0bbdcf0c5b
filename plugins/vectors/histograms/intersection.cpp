// SPDX-License-Identifier: MIT
#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = sum_k min(b_k, x_k).
class Intersection final : public HistogramMeasure<Intersection> {
 public:
  static constexpr const char* who = "intersection";
  static Declaration<Intersection> declare();
  HistogramSum kind() const noexcept { return HistogramSum::intersection; }
  template <class T>
  T value(T sum) const {
    return sum;
  }
  double operations() const noexcept override { return 2 * columns(); }
  std::optional<PartsMake> parts_make() const override { return PartsMake::sum; }
  bool positive_semidefinite() const noexcept override { return true; }
};

Declaration<Intersection> Intersection::declare() {
  return Declaration<Intersection>("similarity/intersection",
                                   "Histogram intersection: sum of min(b, x)")
      .symmetric()
      .accepts_sparse()
      .documentation("Values must not be negative.")
      .reference("Swain and Ballard 1991")
      .complexity(
          "2d operations per pair for d values. Sparse samples: only columns in which both rows "
          "have values")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        lbp:    {is: feature/lbp, cell: 7, from: glyphs}
        x:      {is: normalizer/unit_length, from: lbp}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/intersection, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_intersection() { return Intersection::declare().entry(); }

}  // namespace semblance::vectors
