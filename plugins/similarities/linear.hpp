// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = <b, x>.
class Linear final : public StoredBases {
 public:
  static Declaration<Linear> declare();
  double operations() const noexcept override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override {
    compare_range(in, 0, out, context);
  }
  bool compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const override;
};

}  // namespace semblance
