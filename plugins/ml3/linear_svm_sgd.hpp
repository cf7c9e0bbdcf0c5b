// SPDX-License-Identifier: MIT
#pragma once

#include "sgd_svm.hpp"

namespace semblance::ml3 {

/// `solver/linear_svm_sgd`: one linear model a class.
class LinearSvmSgd final : public SgdSvm {
 public:
  static Declaration<LinearSvmSgd> declare();

 private:
  std::size_t models() const override { return 1; }
  void learn_weights(MatrixView, Random&, Context&) override {}
  void weights(std::span<const float>, std::span<float> weights) const override { weights[0] = 1; }
};

}  // namespace semblance::ml3
