// SPDX-License-Identifier: MIT
#pragma once

#include "centres.hpp"
#include "sgd_svm.hpp"

namespace semblance::ml3 {

/// `solver/llsvm`: locally linear SVM.
class LlSvm final : public SgdSvm {
 public:
  static Declaration<LlSvm> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  std::size_t models() const override { return static_cast<std::size_t>(models_); }
  void learn_weights(MatrixView rows, Random& random, Context& context) override;
  void weights(std::span<const float> row, std::span<float> weights) const override {
    distances_.weights(row, weights);
  }

  std::int64_t models_ = 10;
  std::int64_t neighbours_ = 8;
  InverseDistances distances_;
};

}  // namespace semblance::ml3
