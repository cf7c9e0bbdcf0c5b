// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "histogram_kernels.hpp"
#include "plain_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = sum_k min(b_k, x_k).
class Intersection final : public StoredBases, public Exportable {
 public:
  static Declaration<Intersection> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  std::optional<PartsMake> parts_make() const override { return PartsMake::sum; }
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override {
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] = std::min(basis[k], x[k]);
  }
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
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
          "have "
          "values")
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

double Intersection::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size());
}

void Intersection::learn(MatrixView bases) {
  check_histograms(bases, "intersection", RowError::Of::bases);
}

void Intersection::compare_with_itself(MatrixView rows, float* values) const {
  row_sums(rows, values);
}

void Intersection::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j)
    values[j] = plain_sum(bases, j, x, false, [](double b, double y) { return std::min(b, y); });
}

void Intersection::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                           Context& context) const {
  check_histograms(in, "intersection");
  if (sparse())
    histogram_sums(HistogramSum::intersection, in, indexed(), first, out, context);
  else
    histogram_sums(HistogramSum::intersection, in, packed(), first, out, context);
}

Formula::Value Intersection::write(Formula& formula, Formula::Value in) const {
  return formula.intersections(written_histogram(formula, in), exported_bases().view());
}

}  // namespace

ComponentEntry declare_intersection() { return Intersection::declare().entry(); }

}  // namespace semblance::vectors
