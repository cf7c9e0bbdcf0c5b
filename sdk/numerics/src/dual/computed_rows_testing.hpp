// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/state.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::numerics {

/// Computes rows instead of having a matrix, so that the cache is used. For tests.
class Computed final : public KernelSource {
 public:
  explicit Computed(const FloatMatrix& matrix) : matrix_(matrix.view()) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first,
               MutableMatrixView out) const override {
    matrix_.compute(rows, first, out);
  }

 private:
  MatrixSource matrix_;
};

}  // namespace semblance::numerics
