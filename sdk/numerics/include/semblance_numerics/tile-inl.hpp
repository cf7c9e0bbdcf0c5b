// SPDX-License-Identifier: MIT
// The register tile of all products, compiled once per SIMD target: include after
// hwy/foreach_target.h.

#if defined(SEMBLANCE_NUMERICS_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_NUMERICS_TILE_INL_HPP
#undef SEMBLANCE_NUMERICS_TILE_INL_HPP
#else
#define SEMBLANCE_NUMERICS_TILE_INL_HPP
#endif

#include <cstddef>
#include <utility>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;

inline constexpr std::size_t lanes = HWY_LANES(float);
inline constexpr std::size_t tile_width = 2 * lanes;
// Two accumulators per row. The remaining registers of the 16 or 32 hold two vectors of the right
// side and a broadcast value of the left.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr std::size_t tile_rows = 12;
#elif HWY_ARCH_ARM_A64
inline constexpr std::size_t tile_rows = 10;
#else
inline constexpr std::size_t tile_rows = 6;
#endif
inline constexpr std::size_t tile_size = tile_rows * tile_width;
using TileRows = std::make_index_sequence<tile_rows>;

/// tile_rows x tile_width values in registers. Indexed only by constants, so that no compiler
/// places it in memory.
struct Tile {
  FloatVec low[tile_rows];
  FloatVec high[tile_rows];
};

template <std::size_t... R>
HWY_INLINE void clear(Tile& t, std::index_sequence<R...>) {
  ((t.low[R] = hn::Zero(FloatTag()), t.high[R] = hn::Zero(FloatTag())), ...);
}

template <std::size_t... R>
HWY_INLINE void load(const float* HWY_RESTRICT from, std::size_t stride, Tile& t,
                     std::index_sequence<R...>) {
  ((t.low[R] = hn::LoadU(FloatTag(), from + R * stride),
    t.high[R] = hn::LoadU(FloatTag(), from + R * stride + lanes)),
   ...);
}

template <std::size_t... R>
HWY_INLINE void store(const Tile& t, float* HWY_RESTRICT to, std::size_t stride,
                      std::index_sequence<R...>) {
  ((hn::StoreU(t.low[R], FloatTag(), to + R * stride),
    hn::StoreU(t.high[R], FloatTag(), to + R * stride + lanes)),
   ...);
}

template <std::size_t... R>
HWY_INLINE void fill(float value, Tile& t, std::index_sequence<R...>) {
  const FloatVec x = hn::Set(FloatTag(), value);
  ((t.low[R] = x, t.high[R] = x), ...);
}

/// t += the stored tile.
template <std::size_t... R>
HWY_INLINE void add(const float* HWY_RESTRICT from, Tile& t, std::index_sequence<R...>) {
  ((t.low[R] = hn::Add(t.low[R], hn::Load(FloatTag(), from + R * tile_width)),
    t.high[R] = hn::Add(t.high[R], hn::Load(FloatTag(), from + R * tile_width + lanes))),
   ...);
}

/// t += factor * the stored tile.
template <std::size_t... R>
HWY_INLINE void multiply_add(const float* HWY_RESTRICT from, float factor, Tile& t,
                             std::index_sequence<R...>) {
  const FloatTag d;
  const FloatVec f = hn::Set(d, factor);
  ((t.low[R] = hn::MulAdd(f, hn::Load(d, from + R * tile_width), t.low[R]),
    t.high[R] = hn::MulAdd(f, hn::Load(d, from + R * tile_width + lanes), t.high[R])),
   ...);
}

template <std::size_t... R>
HWY_INLINE void absolute(Tile& t, std::index_sequence<R...>) {
  ((t.low[R] = hn::Abs(t.low[R]), t.high[R] = hn::Abs(t.high[R])), ...);
}

/// sum = t + other, difference = t - other, for stored tiles.
template <std::size_t... R>
HWY_INLINE void store_sum_and_difference(const Tile& t, const float* HWY_RESTRICT other,
                                         float* HWY_RESTRICT sum, float* HWY_RESTRICT difference,
                                         std::index_sequence<R...>) {
  const FloatTag d;
  const auto both = [&](FloatVec value, std::size_t at) HWY_ATTR {
    const FloatVec x = hn::Load(d, other + at);
    hn::Store(hn::Add(value, x), d, sum + at);
    hn::Store(hn::Sub(value, x), d, difference + at);
  };
  ((both(t.low[R], R * tile_width), both(t.high[R], R * tile_width + lanes)), ...);
}

template <std::size_t... R>
HWY_INLINE void subtract(float value, Tile& t, std::index_sequence<R...>) {
  const FloatVec x = hn::Set(FloatTag(), value);
  ((t.low[R] = hn::Sub(t.low[R], x), t.high[R] = hn::Sub(t.high[R], x)), ...);
}

/// t = max(t, stored tile - cost).
template <std::size_t... R>
HWY_INLINE void maximum(const float* HWY_RESTRICT from, float cost, Tile& t,
                        std::index_sequence<R...>) {
  const FloatTag d;
  if (cost == 0) {
    ((t.low[R] = hn::Max(t.low[R], hn::Load(d, from + R * tile_width)),
      t.high[R] = hn::Max(t.high[R], hn::Load(d, from + R * tile_width + lanes))),
     ...);
    return;
  }
  const FloatVec c = hn::Set(d, cost);
  ((t.low[R] = hn::Max(t.low[R], hn::Sub(hn::Load(d, from + R * tile_width), c)),
    t.high[R] = hn::Max(t.high[R], hn::Sub(hn::Load(d, from + R * tile_width + lanes), c))),
   ...);
}

template <std::size_t R>
HWY_INLINE void add_row(float value, FloatVec low, FloatVec high, Tile& t) {
  const FloatVec x = hn::Set(FloatTag(), value);
  t.low[R] = hn::MulAdd(x, low, t.low[R]);
  t.high[R] = hn::MulAdd(x, high, t.high[R]);
}

template <std::size_t... R>
HWY_INLINE void add_step(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, Tile& t,
                         std::index_sequence<R...>) {
  const FloatVec low = hn::Load(FloatTag(), b);
  const FloatVec high = hn::Load(FloatTag(), b + lanes);
  (add_row<R>(a[R], low, high, t), ...);
}

/// t += a^T b over `count` values: one chain of fused multiply-adds per element, in the order of k,
/// at any place in the tile.
HWY_INLINE void add_products(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                             std::size_t count, Tile& t) {
  for (std::size_t k = 0; k < count; ++k, a += tile_rows, b += tile_width)
    add_step(a, b, t, TileRows());
}

/// Copies the part of a stored tile that is inside the result.
HWY_INLINE void copy_part(const float* HWY_RESTRICT tile, std::size_t rows, std::size_t cols,
                          float* HWY_RESTRICT to, std::size_t stride) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < cols; ++j) to[r * stride + j] = tile[r * tile_width + j];
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#endif
