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
  bool positive_semidefinite() const noexcept override { return offset_ >= 0; }

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override {
    compare_range(in, 0, out, context);
  }
  bool compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const override;

  std::int64_t degree_ = 2;
  double offset_ = 1;
  double scale_ = 1;
};

}  // namespace semblance
