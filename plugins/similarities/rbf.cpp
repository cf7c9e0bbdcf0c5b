// SPDX-License-Identifier: MIT
#include "rbf.hpp"

#include <algorithm>

#include "semblance_numerics/exponential.hpp"

namespace semblance {

Declaration<Rbf> Rbf::declare() {
  return Declaration<Rbf>("similarity/rbf", "Gaussian radial basis function exp(-gamma |b - x|^2)")
      .parameter("gamma", &Rbf::gamma_, "inverse squared width", above(0))
      .parameter("precision", &Rbf::precision_, precision_documentation, choices({"fp32", "bf16"}))
      .symmetric()
      .accepts_sparse()
      .documentation(
          "The distance is |b|^2 + |x|^2 - 2<b, x> in float32, clipped at zero: exact for b = x, "
          "else with an error of a few units in the last place of |b|^2 + |x|^2. With bf16 it is "
          "the distance of the rounded b and x, norms included, with the same error: still exactly "
          "1 for b = x, never more, and positive semi-definite.")
      .reference("BE-SVM, section 3.1: gamma = 1 on features of mean norm 1 (H4R, H8R)")
      .complexity(
          "2d + 20 operations per pair for d values; one packed matrix product per block. "
          "Sparse samples: a fraction of that, as only values other than 0 are multiplied; 16 "
          "bytes a "
          "value of the bases")
      .example(R"(
        points: {is: source/xor}
        bases:  {is: basis/random, count: 40, from: points}
        rbf:    {is: similarity/rbf, gamma: 10, from: points, bases: bases}
        phi:    {is: normalizer/mean_norm, from: rbf}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

double Rbf::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 20.0;
}

void Rbf::learn(MatrixView bases) {
  norms_.resize(bases.rows);
  squared_norms(bases, norms_.data());
}

void Rbf::compare_with_itself(MatrixView rows, float* values) const {
  std::fill_n(values, rows.rows, 1.0f);
}

void Rbf::compare(MatrixView in, std::size_t first, MutableMatrixView out, Context& context) const {
  std::vector<float> norms(in.rows);
  squared_norms(in, norms.data());
  inner_products(in, first, out, context);
  for (std::size_t i = 0; i < in.rows; ++i)
    numerics::gaussian_from_products(out.row(i), norms_.data() + first, out.cols, norms[i],
                                     static_cast<float>(gamma_));
}

Formula::Value Rbf::write(Formula& formula, Formula::Value in) const {
  const auto distances = formula.squared_distances(in, exported_bases().view());
  return formula.exponential(formula.multiply(distances, formula.number(-gamma_, distances)));
}

void Rbf::describe(SupportVectorMachine& machine) const {
  machine.kernel = SupportVectorMachine::Kernel::rbf;
  machine.gamma = gamma_;
  describe_bases(machine);
}

}  // namespace semblance
