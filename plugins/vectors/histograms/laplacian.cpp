// SPDX-License-Identifier: MIT
#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance::vectors {
namespace {

/// s(b, x) = exp(-gamma sum_k |b_k - x_k|).
class Laplacian final : public HistogramMeasure<Laplacian> {
 public:
  static constexpr const char* who = nullptr;
  static Declaration<Laplacian> declare();
  HistogramSum kind() const noexcept { return HistogramSum::absolute; }
  template <class T>
  T value(T sum) const {
    using std::exp;
    return exp(static_cast<T>(-gamma()) * sum);
  }
  void finish(std::span<float> sums) const { exponentiate_all(sums, gamma()); }
  double operations() const noexcept override { return 2 * columns() + 20; }
  std::optional<PartsMake> parts_make() const override { return PartsMake::product; }
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  double gamma() const { return number_given(given_).value_or(1 / columns()); }

  std::string given_ = "auto";
};

Declaration<Laplacian> Laplacian::declare() {
  return Declaration<Laplacian>("similarity/laplacian",
                                "Laplacian kernel exp(-gamma sum of |b - x|)")
      .parameter("gamma", &Laplacian::given_,
                 "inverse width: the larger, the faster similarity falls with distance; a number; "
                 "auto: 1 / columns, as scikit-learn's default",
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

}  // namespace

ComponentEntry declare_laplacian() { return Laplacian::declare().entry(); }

}  // namespace semblance::vectors
