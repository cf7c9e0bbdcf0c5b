// SPDX-License-Identifier: MIT
#include "products/column_measure.hpp"
#include "semblance/declaration.hpp"

namespace semblance::vectors {
namespace {

/// Chi-square similarity of histograms:
/// exponential: s(b, x) = exp(-gamma sum_k (b_k - x_k)^2 / (b_k + x_k)),
/// additive: s(b, x) = sum_k 2 b_k x_k / (b_k + x_k); 0/0 counts as 0.
class ChiSquare final : public HistogramMeasure<ChiSquare> {
 public:
  static constexpr const char* who = "chi_square";
  static Declaration<ChiSquare> declare();
  HistogramSum kind() const noexcept { return kind_; }
  template <class T>
  T value(T sum) const {
    using std::exp;
    return is_distance(kind_) ? exp(static_cast<T>(-gamma_) * sum) : sum;
  }
  void finish(std::span<float> sums) const {
    if (is_distance(kind_)) exponentiate_all(sums, gamma_);
  }
  double operations() const noexcept override { return 5 * columns(); }
  std::optional<PartsMake> parts_make() const override {
    return form_ == "additive" ? PartsMake::sum : PartsMake::product;
  }
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void prepare(const Layout& input) override {
    HistogramMeasure::prepare(input);
    kind_ = form_ == "additive" ? HistogramSum::harmonic : HistogramSum::chi_square;
  }

  std::string form_ = "exponential";
  double gamma_ = 1;
  HistogramSum kind_ = HistogramSum::chi_square;
};

Declaration<ChiSquare> ChiSquare::declare() {
  return Declaration<ChiSquare>("similarity/chi_square", "Chi-square similarity of histograms")
      .parameter("form", &ChiSquare::form_,
                 "exponential: exp(-gamma sum (b-x)^2/(b+x)); additive: sum 2bx/(b+x)",
                 choices({"exponential", "additive"}))
      .parameter("gamma", &ChiSquare::gamma_,
                 "inverse width of the exponential form: the larger, the faster similarity falls "
                 "with distance",
                 above(0))
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

}  // namespace

ComponentEntry declare_chi_square() { return ChiSquare::declare().entry(); }

}  // namespace semblance::vectors
