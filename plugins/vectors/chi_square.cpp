// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "histogram_kernels.hpp"
#include "plain_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance_numerics/exponential.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// Chi-square similarity of histograms:
/// exponential: s(b, x) = exp(-gamma sum_k (b_k - x_k)^2 / (b_k + x_k)),
/// additive: s(b, x) = sum_k 2 b_k x_k / (b_k + x_k); 0/0 counts as 0.
class ChiSquare final : public StoredBases, public Exportable {
 public:
  static Declaration<ChiSquare> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  std::optional<PartsMake> parts_make() const override {
    return form_ == "additive" ? PartsMake::sum : PartsMake::product;
  }
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  std::string form_ = "exponential";
  double gamma_ = 1;
};

Declaration<ChiSquare> ChiSquare::declare() {
  return Declaration<ChiSquare>("similarity/chi_square", "Chi-square similarity of histograms")
      .parameter("form", &ChiSquare::form_,
                 "exponential: exp(-gamma sum (b-x)^2/(b+x)); additive: sum 2bx/(b+x)",
                 choices({"exponential", "additive"}))
      .parameter("gamma", &ChiSquare::gamma_, "inverse width of the exponential form", above(0))
      .symmetric()
      .accepts_sparse()
      .documentation("Values must not be negative; a value that is zero in both adds nothing.")
      .reference("Zhang et al. 2007 (exponential); Vedaldi and Zisserman 2012 (additive)")
      .complexity(
          "5d operations, d of them divisions, per pair for d values. Sparse samples: only columns "
          "in which both rows have values")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        lbp:    {is: feature/lbp, cell: 7, from: glyphs}
        x:      {is: normalizer/unit_length, from: lbp}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        chi:    {is: similarity/chi_square, form: additive, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: chi}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

double ChiSquare::operations() const noexcept { return 5.0 * static_cast<double>(layout().size()); }

void ChiSquare::learn(MatrixView bases) {
  check_histograms(bases, "chi_square", RowError::Of::bases);
}

void ChiSquare::compare_with_itself(MatrixView rows, float* values) const {
  if (form_ == "additive")
    row_sums(rows, values);
  else
    std::fill_n(values, rows.rows, 1.0f);
}

void ChiSquare::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j) {
    if (form_ == "additive")
      values[j] = plain_sum(bases, j, x, false, [](double b, double y) {
        return b + y > 0 ? 2 * b * y / (b + y) : 0.0;
      });
    else
      values[j] = std::exp(-gamma_ * plain_sum(bases, j, x, false, [](double b, double y) {
        return b + y > 0 ? (b - y) * (b - y) / (b + y) : 0.0;
      }));
  }
}

void ChiSquare::compare_parts(std::span<const float> basis, std::span<const float> x,
                              std::span<double> parts) const {
  const bool additive = form_ == "additive";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double b = basis[k], y = x[k], sum = b + y, difference = b - y;
    if (additive)
      parts[k] = sum > 0 ? 2 * b * y / sum : 0;
    else
      parts[k] = sum > 0 ? std::exp(-gamma_ * difference * difference / sum) : 1;
  }
}

void ChiSquare::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                        Context& context) const {
  check_histograms(in, "chi_square");
  const bool additive = form_ == "additive";
  const HistogramSum sum = additive ? HistogramSum::harmonic : HistogramSum::chi_square;
  if (sparse())
    histogram_sums(sum, in, indexed(), first, out, context);
  else
    histogram_sums(sum, in, packed(), first, out, context);
  for (std::size_t i = 0; i < out.rows && !additive; ++i)
    numerics::exponentiate(out.row(i), out.cols, static_cast<float>(-gamma_));
}

Formula::Value ChiSquare::write(Formula& formula, Formula::Value in) const {
  const auto x = written_histogram(formula, in);
  const FloatMatrix bases = exported_bases();
  if (form_ == "additive") return formula.harmonic_sums(x, bases.view());
  const auto distances = formula.chi_square_sums(x, bases.view());
  return formula.exponential(formula.multiply(distances, formula.number(-gamma_, distances)));
}

}  // namespace

ComponentEntry declare_chi_square() { return ChiSquare::declare().entry(); }

}  // namespace semblance::vectors
