// SPDX-License-Identifier: MIT
#pragma once

#include "centres.hpp"
#include "local_svm.hpp"

namespace semblance::ml3 {

/// `solver/llsvm`: locally linear SVM.
class LlSvm final : public LocalSvm {
 public:
  static Declaration<LlSvm> declare();
  void load(const StateReader& state, Context& context) override;

 private:
  std::size_t models() const override { return static_cast<std::size_t>(models_); }
  void learn_weights(const Problem& problem, Random& random, Context& context) override;
  void skip_draws(Random& random) const override { random.bits(); }
  void save_weights(StateWriter& state) const override;
  void restore_weights(const StateReader& state) override;
  void weights(MatrixView rows, MutableMatrixView weights) const override {
    for (std::size_t i = 0; i < rows.rows; ++i)
      distances_.weights(rows.row_span(i), weights.row_span(i));
  }

  std::int64_t models_ = 10;
  std::int64_t neighbours_ = 8;
  InverseDistances distances_;
};

}  // namespace semblance::ml3
