// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = sum_k min(b_k, x_k).
class Intersection final : public StoredBases,
                           public SelfSimilarity,
                           public PlainSimilarity,
                           public Exportable {
 public:
  static Declaration<Intersection> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
};

}  // namespace semblance
