// SPDX-License-Identifier: MIT
#pragma once

#include "sgd_svm.hpp"

namespace semblance::ml3 {

/// Scales non-negative values to sum 1; where all are 0 they stay so.
void scale_to_shares(std::span<float> values);

/// An SgdSvm with several linear models per class: a model's share in a class's score is its
/// weight.
class LocalSvm : public SgdSvm {
 public:
  std::size_t local_models() const noexcept override { return models(); }
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 protected:
  using SgdSvm::SgdSvm;
};

}  // namespace semblance::ml3
