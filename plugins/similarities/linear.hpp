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

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override;
};

}  // namespace semblance
