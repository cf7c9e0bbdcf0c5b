// SPDX-License-Identifier: MIT
#include "descent/panel_kernels.hpp"

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "descent/panel_kernels.cpp"
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

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(update_panel);
HWY_EXPORT(multiply_row);

void update_panel(const float* const* x, const float* factors, std::size_t count, std::size_t cols,
                  float* panel) {
  HWY_DYNAMIC_DISPATCH(update_panel)(x, factors, count, cols, panel);
}

void multiply_row(const float* x, const numerics::PackedRows& rows, std::size_t first,
                  std::size_t end, float* out) {
  HWY_DYNAMIC_DISPATCH(multiply_row)(x, rows.panel(first), end - first, rows.cols(), out);
}

}  // namespace semblance::ml3
#endif
