// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "histogram_kernels.hpp"
#include "plain_sums.hpp"
#include "semblance/declaration.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance_numerics/exponential.hpp"
#include "stored_bases.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = exp(-gamma sum_k |b_k - x_k|).
class Laplacian final : public StoredBases {
 public:
  static Declaration<Laplacian> declare();
  double operations() const noexcept override;
  Abilities abilities() const noexcept override { return every_ability; }
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  std::optional<PartsMake> parts_make() const override { return PartsMake::product; }
  void compare_parts(std::span<const float> basis, std::span<const float> x,
                     std::span<double> parts) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  double gamma() const {
    return number_given(given_).value_or(1 / static_cast<double>(layout().size()));
  }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  std::string given_ = "auto";
};

Declaration<Laplacian> Laplacian::declare() {
  return Declaration<Laplacian>("similarity/laplacian",
                                "Laplacian kernel exp(-gamma sum of |b - x|)")
      .parameter("gamma", &Laplacian::given_,
                 "inverse width: a number; auto: 1 / columns, as scikit-learn's default",
                 choices({"auto"}), above(0))
      .symmetric()
      .accepts_sparse()
      .documentation(
          "The city-block distance instead of the squared one of similarity/rbf: heavier tails, "
          "and one wild value in a row counts less. Differences are summed value by value, so that "
          "columns may be far from 0.")
      .reference("Rahimi and Recht 2007, section 3.1")
      .complexity(
          "2d + 20 operations per pair for d values. Sparse samples: only columns in which both "
          "rows have values")
      .example(R"(
        points:    {is: source/xor}
        bases:     {is: basis/random, count: 40, from: points}
        laplacian: {is: similarity/laplacian, gamma: 3, from: points, bases: bases}
        phi:       {is: normalizer/mean_norm, from: laplacian}
        svm:       {is: solver/linear_svm, from: phi}
        test:      {is: evaluator/classification, from: svm})");
}

double Laplacian::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 20.0;
}

void Laplacian::compare_with_itself(MatrixView rows, float* values) const {
  std::fill_n(values, rows.rows, 1.0F);
}

void Laplacian::compare_plainly(MatrixView bases, MatrixView x, double* values) const {
  for (std::size_t j = 0; j < bases.rows; ++j)
    values[j] = std::exp(-gamma() * plain_sum(bases, j, x, false,
                                              [](double b, double y) { return std::abs(b - y); }));
}

void Laplacian::compare_parts(std::span<const float> basis, std::span<const float> x,
                              std::span<double> parts) const {
  for (std::size_t k = 0; k < parts.size(); ++k)
    parts[k] = std::exp(-gamma() * std::abs(double{basis[k]} - double{x[k]}));
}

void Laplacian::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                        Context& context) const {
  if (sparse())
    histogram_sums(HistogramSum::absolute, in, indexed(), first, out, context);
  else
    histogram_sums(HistogramSum::absolute, in, packed(), first, out, context);
  for (std::size_t i = 0; i < out.rows; ++i) {
    const auto values = out.row_span(i);
    const bool numbers = std::ranges::none_of(values, [](float d) { return std::isnan(d); });
    numerics::exponentiate(values.data(), values.size(), static_cast<float>(-gamma()));
    if (!numbers) std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

ComponentEntry declare_laplacian() { return Laplacian::declare().entry(); }

}  // namespace semblance::vectors
