// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = (scale <b, x> + offset)^degree.
class Polynomial final : public StoredBases,
                         public SelfSimilarity,
                         public PlainSimilarity,
                         public Exportable,
                         public SupportVectorKernel {
 public:
  static Declaration<Polynomial> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  bool positive_semidefinite() const noexcept override { return offset_ >= 0; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  /// Turns inner products into values of the kernel.
  void raise(std::span<float> products) const;

  std::int64_t degree_ = 2;
  double offset_ = 1;
  double scale_ = 1;
};

}  // namespace semblance
