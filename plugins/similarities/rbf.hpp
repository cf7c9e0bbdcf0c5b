// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = exp(-gamma |b - x|^2).
class Rbf final : public StoredBases {
 public:
  static Declaration<Rbf> declare();
  double operations() const noexcept override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override;
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override {
    compare_range(in, 0, out, context);
  }
  bool compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const override;

  double gamma_ = 1;
  std::vector<float> norms_;  // squared, of the bases
};

}  // namespace semblance
