// SPDX-License-Identifier: MIT
#include "semblance_numerics/exponential.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "products/exponential.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using DoubleTag = hn::ScalableTag<double>;
constexpr std::size_t lanes = HWY_LANES(float);

// Calls body(position, count) for whole vectors in place, and for the remainder through a full
// vector on the stack. So every value goes through the same instructions at any position.
template <class T, class Body>
HWY_INLINE void for_each_vector(T* values, std::size_t count, const Body& body) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = HWY_LANES(T);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(body(hn::LoadU(d, values + i), i, lanes), d, values + i);
  if (i == count) return;
  HWY_ALIGN T rest[lanes] = {};
  std::copy_n(values + i, count - i, rest);
  hn::Store(body(hn::Load(d, rest), i, count - i), d, rest);
  std::copy_n(rest, count - i, values + i);
}

void exponentiate(float* values, std::size_t count, float scale) {
  const FloatTag d;
  const auto factor = hn::Set(d, scale);
  for_each_vector(values, count, [&](auto x, std::size_t, std::size_t) HWY_ATTR {
    return hn::Exp(d, hn::Mul(factor, x));
  });
}

// Highway's exponential takes no infinite argument; exp(-800) is 0.
void exponentiate_wide(double* values, std::size_t count, double scale) {
  const DoubleTag d;
  const auto factor = hn::Set(d, scale), least = hn::Set(d, -800.0);
  for_each_vector(values, count, [&](auto x, std::size_t, std::size_t) HWY_ATTR {
    const auto power = hn::Exp(d, hn::Max(hn::Mul(factor, x), least));
    return hn::IfThenElse(hn::IsNaN(x), x, power);
  });
}

void gaussian_from_products(float* values, const float* norms, std::size_t count, float norm,
                            float gamma) {
  const FloatTag d;
  const auto own = hn::Set(d, norm);
  const auto factor = hn::Set(d, -gamma);
  for_each_vector(values, count, [&](auto product, std::size_t i, std::size_t used) HWY_ATTR {
    HWY_ALIGN float rest[lanes] = {};
    if (used < lanes) std::copy_n(norms + i, used, rest);
    const auto other = used < lanes ? hn::Load(d, rest) : hn::LoadU(d, norms + i);
    const auto distance = hn::Sub(hn::Add(own, other), hn::Add(product, product));
    return hn::Exp(d, hn::Mul(factor, hn::Max(distance, hn::Zero(d))));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(exponentiate);
HWY_EXPORT(exponentiate_wide);
HWY_EXPORT(gaussian_from_products);

void exponentiate(float* values, std::size_t count, float scale) {
  HWY_DYNAMIC_DISPATCH(exponentiate)(values, count, scale);
}

void exponentiate(double* values, std::size_t count, double scale) {
  HWY_DYNAMIC_DISPATCH(exponentiate_wide)(values, count, scale);
}

void gaussian_from_products(float* values, const float* norms, std::size_t count, float norm,
                            float gamma) {
  HWY_DYNAMIC_DISPATCH(gaussian_from_products)(values, norms, count, norm, gamma);
}

}  // namespace semblance::numerics
#endif
