// SPDX-License-Identifier: MIT
#include "add_rows.hpp"

#include "numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "add_rows.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::ml3 {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four rows a pass: out is loaded and stored once for them.
void add_rows(const float* const* rows, const float* factors, std::size_t count, std::size_t size,
              float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float *HWY_RESTRICT x0 = rows[i], *HWY_RESTRICT x1 = rows[i + 1];
    const float *HWY_RESTRICT x2 = rows[i + 2], *HWY_RESTRICT x3 = rows[i + 3];
    const auto f0 = hn::Set(d, factors[i]), f1 = hn::Set(d, factors[i + 1]);
    const auto f2 = hn::Set(d, factors[i + 2]), f3 = hn::Set(d, factors[i + 3]);
    for (std::size_t k = 0; k < size; k += lanes) {
      auto sum = hn::MulAdd(f0, hn::Load(d, x0 + k), hn::Load(d, out + k));
      sum = hn::MulAdd(f1, hn::Load(d, x1 + k), sum);
      sum = hn::MulAdd(f2, hn::Load(d, x2 + k), sum);
      hn::Store(hn::MulAdd(f3, hn::Load(d, x3 + k), sum), d, out + k);
    }
  }
  for (; i < count; ++i) {
    const float* HWY_RESTRICT x = rows[i];
    const auto f = hn::Set(d, factors[i]);
    for (std::size_t k = 0; k < size; k += lanes)
      hn::Store(hn::MulAdd(f, hn::Load(d, x + k), hn::Load(d, out + k)), d, out + k);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(add_rows);

void add_rows(const float* const* rows, const float* factors, std::size_t count, std::size_t size,
              float* out) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, factors, count, size, out);
}

}  // namespace semblance::ml3
#endif
