// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "numerics/tile_unit.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// What the measures made of inner products share: the precision of these products, as parameter
/// `precision`, and the bases laid out for it.
class ProductBases : public StoredBases {
 protected:
  static constexpr const char* precision_documentation =
      "fp32: float32 products; bf16: values rounded to bfloat16, sums in float32, several times "
      "as fast on a CPU with AMX, emulated with the same bits elsewhere";

  /// Lays the bases out. A derived measure that learns more calls it.
  void learn(MatrixView bases) override;

  /// Warns where the products have to be emulated.
  void announce(Context& context) const override;

  /// Values that move together: the tiles of bf16 products must not straddle them.
  virtual std::size_t cell() const { return layout().size(); }

  bool bf16() const noexcept { return precision_ == "bf16"; }
  const numerics::TiledRows& tiled() const noexcept { return tiled_; }
  numerics::TiledRows tile(MatrixView samples) const;

  /// out(i, j) = <base j, row i of in>, with the context polled in between.
  void multiply(MatrixView in, MutableMatrixView out, Context& context) const;

  /// Of each row with itself, with the bits that multiply() gives.
  void squared_norms(MatrixView rows, float* norms) const;

  std::string precision_ = "fp32";

 private:
  numerics::TiledRows tiled_;
};

}  // namespace semblance
