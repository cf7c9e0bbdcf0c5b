// SPDX-License-Identifier: MIT
#pragma once

#include "sgd_svm.hpp"

namespace semblance::ml3 {

/// `solver/linear_svm_sgd`: one linear model per class.
class LinearSvmSgd final : public SgdSvm {
 public:
  static Declaration<LinearSvmSgd> declare();

 private:
  std::size_t models() const override { return 1; }
  void learn_weights(const Problem&, Random&, Context&) override {}
  void weights(MatrixView rows, MutableMatrixView weights) const override {
    for (std::size_t i = 0; i < rows.rows; ++i) weights.row(i)[0] = 1;
  }
};

}  // namespace semblance::ml3
