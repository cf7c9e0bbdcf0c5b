// SPDX-License-Identifier: MIT
#include "row_panels.hpp"

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "row_panels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::ml3 {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using numerics::HWY_NAMESPACE::FloatTag;
using numerics::HWY_NAMESPACE::FloatVec;
using numerics::HWY_NAMESPACE::lanes;
using numerics::HWY_NAMESPACE::tile_width;

// Enough panels at once to hide the latency of a chain of multiply-adds.
constexpr std::size_t most_panels = 4;

template <std::size_t Panels>
HWY_INLINE void multiply_panels(const float* HWY_RESTRICT x, const float* HWY_RESTRICT panels,
                                std::size_t cols, float* HWY_RESTRICT out) {
  const FloatTag d;
  FloatVec low[Panels], high[Panels];
  for (std::size_t p = 0; p < Panels; ++p) low[p] = high[p] = hn::Zero(d);
  for (std::size_t k = 0; k < cols; ++k) {
    const FloatVec value = hn::Set(d, x[k]);
    for (std::size_t p = 0; p < Panels; ++p) {
      const float* from = panels + (p * cols + k) * tile_width;
      low[p] = hn::MulAdd(value, hn::Load(d, from), low[p]);
      high[p] = hn::MulAdd(value, hn::Load(d, from + lanes), high[p]);
    }
  }
  for (std::size_t p = 0; p < Panels; ++p) {
    hn::StoreU(low[p], d, out + p * tile_width);
    hn::StoreU(high[p], d, out + p * tile_width + lanes);
  }
}

void multiply_row(const float* HWY_RESTRICT x, const float* HWY_RESTRICT panels, std::size_t count,
                  std::size_t cols, float* HWY_RESTRICT out) {
  for (; count >= most_panels; count -= most_panels) {
    multiply_panels<most_panels>(x, panels, cols, out);
    panels += most_panels * cols * tile_width;
    out += most_panels * tile_width;
  }
  if (count == 3) multiply_panels<3>(x, panels, cols, out);
  if (count == 2) multiply_panels<2>(x, panels, cols, out);
  if (count == 1) multiply_panels<1>(x, panels, cols, out);
}

void squared_distances(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float factor,
                       std::size_t cols, float* HWY_RESTRICT out) {
  const FloatTag d;
  const FloatVec f = hn::Set(d, factor);
  FloatVec low = hn::Zero(d), high = hn::Zero(d);
  for (std::size_t k = 0; k < cols; ++k, a += tile_width, b += tile_width) {
    const FloatVec x = hn::NegMulAdd(f, hn::Load(d, b), hn::Load(d, a));
    const FloatVec y = hn::NegMulAdd(f, hn::Load(d, b + lanes), hn::Load(d, a + lanes));
    low = hn::MulAdd(x, x, low);
    high = hn::MulAdd(y, y, high);
  }
  hn::StoreU(low, d, out);
  hn::StoreU(high, d, out + lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(multiply_row);
HWY_EXPORT(squared_distances);

void multiply_row(const float* x, const numerics::PackedRows& rows, std::size_t first,
                  std::size_t end, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_row)(x, rows.panel(first), end - first, rows.cols(), out);
}

void squared_distances(const float* a, const float* b, float factor, std::size_t cols, float* out) {
  HWY_DYNAMIC_DISPATCH(squared_distances)(a, b, factor, cols, out);
}

}  // namespace semblance::ml3
#endif
