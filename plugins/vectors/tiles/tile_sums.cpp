// SPDX-License-Identifier: MIT
#include "tiles/tile_sums.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/tile_sums.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;
constexpr std::size_t lanes = HWY_LANES(float);

void raise_block(const float* sums, float cost, float* best) {
  const FloatTag d;
  const FloatVec c = hn::Set(d, cost);
  for (std::size_t i = 0; i < block_sums; i += lanes)
    hn::Store(hn::Max(hn::Load(d, best + i), hn::Sub(hn::Load(d, sums + i), c)), d, best + i);
}

// body(position, largest values there) for all vectors of a block, four chains at a time.
template <class Body>
HWY_INLINE void for_largest(const Candidates& from, const Body& body) {
  constexpr std::size_t chains = 4;
  static_assert(block_sums % (chains * lanes) == 0);
  const FloatTag d;
  for (std::size_t i = 0; i < block_sums; i += chains * lanes) {
    FloatVec top[chains];
    for (std::size_t v = 0; v < chains; ++v) top[v] = hn::Set(d, from.floor);
    for (std::size_t l = 0; l < from.count; ++l) {
      const FloatVec cost = hn::Set(d, from.costs[l]);
      for (std::size_t v = 0; v < chains; ++v) {
        const FloatVec x = hn::Load(d, from.first + l * from.stride + i + v * lanes);
        top[v] = hn::Max(top[v], hn::Sub(x, cost));
      }
    }
    for (std::size_t v = 0; v < chains; ++v) body(i + v * lanes, top[v]);
  }
}

void take_largest(const Candidates& candidates, float* to) {
  const FloatTag d;
  for_largest(candidates, [&](std::size_t i, FloatVec top) HWY_ATTR { hn::Store(top, d, to + i); });
}

void add_largest(const Candidates& candidates, float* sums) {
  const FloatTag d;
  for_largest(candidates, [&](std::size_t i, FloatVec top) HWY_ATTR {
    hn::Store(hn::Add(hn::Load(d, sums + i), top), d, sums + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(raise_block);
HWY_EXPORT(take_largest);
HWY_EXPORT(add_largest);

void raise_block(const float* sums, float cost, float* best) {
  HWY_DYNAMIC_DISPATCH(raise_block)(sums, cost, best);
}

void take_largest(const Candidates& candidates, float* to) {
  HWY_DYNAMIC_DISPATCH(take_largest)(candidates, to);
}

void add_largest(const Candidates& candidates, float* sums) {
  HWY_DYNAMIC_DISPATCH(add_largest)(candidates, sums);
}

void copy_block(const float* sums, std::size_t row, std::size_t col, MutableMatrixView out) {
  const std::size_t rows = std::min(block_side, out.rows - row);
  const std::size_t cols = std::min(block_side, out.cols - col);
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(sums + i * block_side, cols, out.row(row + i) + col);
}

}  // namespace semblance::vectors
#endif
