// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"
#include "tiles/tile_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/emulated_tiles.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, tile_side>;
using FloatVec = hn::Vec<FloatTag>;
using BitsTag = hn::RebindToUnsigned<FloatTag>;

constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(float), tile_side);
constexpr std::size_t pairs = tile_depth / 2;
// Vectors of sums in registers, each for even and for odd values.
constexpr std::size_t vectors = std::min<std::size_t>(4, block_side / lanes);

// A block's values as float32; the even values of pair k of all 32 rows are contiguous.
struct RightBlock {
  HWY_ALIGN float even[pairs * block_side];
  HWY_ALIGN float odd[pairs * block_side];
};

// A pair is one 32-bit number, the even value in its lower half.
HWY_INLINE void split_right(const Bf16* block, RightBlock& right) {
  const FloatTag d;
  const BitsTag bits;
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t k = 0; k < pairs; ++k)
      for (std::size_t j = 0; j < tile_side; j += lanes) {
        const Bf16* from = block + (t * pairs + k) * tile_depth + 2 * j;
        const auto pair = hn::Load(bits, reinterpret_cast<const std::uint32_t*>(from));
        const std::size_t to = k * block_side + t * tile_side + j;
        hn::Store(hn::BitCast(d, hn::ShiftLeft<16>(pair)), d, right.even + to);
        hn::Store(hn::BitCast(d, hn::And(pair, hn::Set(bits, 0xFFFF0000u))), d, right.odd + to);
      }
}

// sums += one left row times the block, for `vectors` vectors of right rows. The products are
// exact, so a target without fused multiply-add rounds alike.
HWY_INLINE void add_row(const float* even, const float* odd, const RightBlock& right,
                        std::size_t column, float* sums) {
  const FloatTag d;
  FloatVec evens[vectors], odds[vectors];
  for (std::size_t v = 0; v < vectors; ++v) evens[v] = odds[v] = hn::Zero(d);
  for (std::size_t k = 0; k < pairs; ++k) {
    const FloatVec x = hn::Set(d, even[k]), y = hn::Set(d, odd[k]);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = k * block_side + column + v * lanes;
      evens[v] = hn::MulAdd(x, hn::Load(d, right.even + at), evens[v]);
      odds[v] = hn::MulAdd(y, hn::Load(d, right.odd + at), odds[v]);
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) {
    float* to = sums + column + v * lanes;
    hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Add(evens[v], odds[v])), d, to);
  }
}

HWY_INLINE void add_block(const Bf16* left, const RightBlock& right, float* sums) {
  float even[pairs], odd[pairs];
  for (std::size_t row = 0; row < block_side; ++row, left += tile_depth, sums += block_side) {
    for (std::size_t k = 0; k < pairs; ++k) {
      even[k] = to_float(left[2 * k]);
      odd[k] = to_float(left[2 * k + 1]);
    }
    for (std::size_t column = 0; column < block_side; column += vectors * lanes)
      add_row(even, odd, right, column, sums);
  }
}

void products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums) {
  RightBlock block;
  std::fill_n(sums, block_sums, 0.0f);
  for (std::size_t row = 0; row < run.rows; ++row) {
    const Bf16* a = left + row * run.left_stride;
    const Bf16* b = right + row * run.right_stride;
    for (std::size_t step = 0; step < run.steps; ++step, a += block_values, b += block_values) {
      split_right(b, block);
      add_block(a, block, sums);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(products);

void emulated_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums) {
  HWY_DYNAMIC_DISPATCH(products)(left, right, run, sums);
}

}  // namespace semblance::vectors
#endif
