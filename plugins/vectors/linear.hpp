// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = <b, x>.
class Linear final : public StoredBases,
                     public SelfSimilarity,
                     public PlainSimilarity,
                     public Exportable,
                     public SupportVectorKernel {
 public:
  static Declaration<Linear> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  bool positive_semidefinite() const noexcept override { return true; }
  bool inner_product() const noexcept override { return !bf16(); }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
};

}  // namespace semblance
