// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// s(b, x) = (scale <b, x> + offset)^degree.
class Polynomial final : public StoredBases {
 public:
  static Declaration<Polynomial> declare();
  double operations() const noexcept override;

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override;

  std::int64_t degree_ = 2;
  double offset_ = 1;
  double scale_ = 1;
};

}  // namespace semblance
