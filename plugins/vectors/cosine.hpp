// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/row_error.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = <b, x> / (|b| |x|), and 0 where b or x is zero.
class Cosine final : public StoredBases,
                     public SelfSimilarity,
                     public PlainSimilarity,
                     public Exportable {
 public:
  static Declaration<Cosine> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  /// 1 / |row|, and 0 for a row of zeros. Throws Error if |row|^2 overflows float32.
  std::vector<double> inverse_norms(MatrixView rows, RowError::Of of) const;

  std::vector<double> inverse_norms_;  // of the bases
};

}  // namespace semblance
