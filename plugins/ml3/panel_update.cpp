// SPDX-License-Identifier: MIT
#include "panel_update.hpp"

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "panel_update.cpp"
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

/// Sums of one value k for all rows of a panel.
struct Sums {
  FloatVec low;
  FloatVec high;
  HWY_INLINE void add(float x, FloatVec low_factors, FloatVec high_factors) {
    const FloatVec value = hn::Set(FloatTag(), x);
    low = hn::MulAdd(value, low_factors, low);
    high = hn::MulAdd(value, high_factors, high);
  }
};

// Four samples per pass: the panel is loaded and stored once for them, and their factors stay in
// registers.
void update_panel(const float* const* x, const float* HWY_RESTRICT factors, std::size_t count,
                  std::size_t cols, float* HWY_RESTRICT panel) {
  const FloatTag d;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float* f = factors + i * tile_width;
    const float *x0 = x[i], *x1 = x[i + 1], *x2 = x[i + 2], *x3 = x[i + 3];
    const FloatVec f0 = hn::Load(d, f), g0 = hn::Load(d, f + lanes);
    const FloatVec f1 = hn::Load(d, f + 2 * lanes), g1 = hn::Load(d, f + 3 * lanes);
    const FloatVec f2 = hn::Load(d, f + 4 * lanes), g2 = hn::Load(d, f + 5 * lanes);
    const FloatVec f3 = hn::Load(d, f + 6 * lanes), g3 = hn::Load(d, f + 7 * lanes);
    for (std::size_t k = 0; k < cols; ++k) {
      float* p = panel + k * tile_width;
      Sums sums{hn::Load(d, p), hn::Load(d, p + lanes)};
      sums.add(x0[k], f0, g0);
      sums.add(x1[k], f1, g1);
      sums.add(x2[k], f2, g2);
      sums.add(x3[k], f3, g3);
      hn::Store(sums.low, d, p);
      hn::Store(sums.high, d, p + lanes);
    }
  }
  for (; i < count; ++i) {
    const FloatVec f = hn::Load(d, factors + i * tile_width);
    const FloatVec g = hn::Load(d, factors + i * tile_width + lanes);
    for (std::size_t k = 0; k < cols; ++k) {
      float* p = panel + k * tile_width;
      Sums sums{hn::Load(d, p), hn::Load(d, p + lanes)};
      sums.add(x[i][k], f, g);
      hn::Store(sums.low, d, p);
      hn::Store(sums.high, d, p + lanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(update_panel);

void update_panel(const float* const* x, const float* factors, std::size_t count, std::size_t cols,
                  float* panel) {
  HWY_DYNAMIC_DISPATCH(update_panel)(x, factors, count, cols, panel);
}

}  // namespace semblance::ml3
#endif
