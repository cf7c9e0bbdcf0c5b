// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// Chi-square similarity of histograms:
/// exponential: s(b, x) = exp(-gamma sum_k (b_k - x_k)^2 / (b_k + x_k)),
/// additive: s(b, x) = sum_k 2 b_k x_k / (b_k + x_k); 0/0 counts as 0.
class ChiSquare final : public StoredBases,
                        public SelfSimilarity,
                        public PlainSimilarity,
                        public Exportable {
 public:
  static Declaration<ChiSquare> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  std::string form_ = "exponential";
  double gamma_ = 1;
};

}  // namespace semblance
