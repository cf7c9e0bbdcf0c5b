// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/self_similarity.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = exp(-gamma |b - x|^2).
class Rbf final : public StoredBases,
                  public SelfSimilarity,
                  public PlainSimilarity,
                  public Exportable,
                  public SupportVectorKernel {
 public:
  static Declaration<Rbf> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  void describe(SupportVectorMachine& machine) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  bool takes_sparse() const noexcept override { return true; }
  void learn(MatrixView bases) override;
  numerics::DistanceNeed need() const noexcept;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;

  double gamma_ = 1;
  std::vector<float> norms_;  // squared, of the bases
};

}  // namespace semblance
