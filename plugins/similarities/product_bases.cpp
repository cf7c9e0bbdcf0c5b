// SPDX-License-Identifier: MIT
#include "product_bases.hpp"

#include "semblance_numerics/product.hpp"
#include "semblance_numerics/tiled_product.hpp"

namespace semblance {

void ProductBases::learn(MatrixView bases) {
  if (bf16()) tiled_ = numerics::TiledRows(bases, cell(), numerics::TileSide::right);
}

void ProductBases::announce(Context& context) const {
  if (bf16() && !numerics::amx_available())
    context.log(LogLevel::warning,
                "precision: bf16 is emulated, since this CPU has no AMX: the results have the "
                "same bits, but precision: fp32 is faster here");
}

numerics::TiledRows ProductBases::tile(MatrixView samples) const {
  return {samples, cell(), numerics::TileSide::left};
}

bool ProductBases::multiply(MatrixView in, std::size_t first, MutableMatrixView out,
                            Context& context) const {
  if (!bf16()) {
    semblance::multiply(in, packed(), first, out, context);
    return true;
  }
  if (first != 0 || out.cols != bases()) return false;
  const numerics::TiledRows samples = tile(in);
  const numerics::TileUnit unit;
  for (std::size_t g = 0; g < tiled_.groups(); ++g) {
    context.check_stop();
    numerics::multiply_group(samples, tiled_, g, unit, out);
  }
  return true;
}

void ProductBases::squared_norms(MatrixView rows, float* norms) const {
  if (bf16())
    numerics::rounded_squared_norms(rows, norms);
  else
    numerics::squared_norms(rows, norms);
}

}  // namespace semblance
