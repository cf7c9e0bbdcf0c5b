// SPDX-License-Identifier: MIT
#include "class_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "class_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::ml3 {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 8>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t group = 8;
constexpr std::size_t lanes = HWY_MIN(HWY_LANES(float), group);
constexpr std::size_t vectors = group / lanes;

// NaN stays NaN.
HWY_INLINE Vec positive(Vec x) {
  const Vec zero = hn::Zero(Tag());
  return hn::IfThenElse(hn::Lt(x, zero), zero, x);
}
HWY_INLINE float positive(float x) { return x < 0 ? 0 : x; }

// NaN is passed over.
HWY_INLINE Vec larger(Vec a, Vec b) { return hn::IfThenElse(hn::Lt(a, b), b, a); }

template <int Power, class T, class Multiply>
HWY_INLINE T raised(T x, const Multiply& multiply) {
  T result = x;
  for (int i = 1; i < Power; ++i) result = multiply(result, x);
  return result;
}
template <int Power>
HWY_INLINE Vec raised(Vec x) {
  return raised<Power>(x, [](Vec a, Vec b) HWY_ATTR { return hn::Mul(a, b); });
}
template <int Power>
HWY_INLINE float raised(float x) {
  return raised<Power>(x, [](float a, float b) { return a * b; });
}

/// Eight sums, or largest values.
struct Lanes {
  Vec part[vectors];
  HWY_INLINE Lanes() {
    for (Vec& p : part) p = hn::Zero(Tag());
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(part[v], Tag(), to + v * lanes);
  }
};

HWY_INLINE float in_order(const float* sums) {
  float sum = 0;
  for (std::size_t l = 0; l < group; ++l) sum += sums[l];
  return sum;
}

float largest(const float* c, std::size_t count) {
  Lanes most;
  std::size_t j = 0;
  for (; j + group <= count; j += group)
    for (std::size_t v = 0; v < vectors; ++v)
      most.part[v] = larger(most.part[v], hn::LoadU(Tag(), c + j + v * lanes));
  float values[group];
  most.store(values);
  for (; j < count; ++j) values[0] = std::max(values[0], c[j]);
  return *std::max_element(values, values + group);
}

template <int Power>
HWY_INLINE float power_sum_of(const float* c, std::size_t count, float most) {
  const Vec divisor = hn::Set(Tag(), most);
  Lanes sums;
  std::size_t j = 0;
  for (; j + group <= count; j += group)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Vec x = positive(hn::LoadU(Tag(), c + j + v * lanes));
      sums.part[v] = hn::Add(sums.part[v], raised<Power>(hn::Div(x, divisor)));
    }
  float values[group];
  sums.store(values);
  for (; j < count; ++j) values[0] += raised<Power>(positive(c[j]) / most);
  return in_order(values);
}

float power_sum(const float* c, std::size_t count, float most, int power) {
  switch (power) {
    case 2:
      return power_sum_of<2>(c, count, most);
    case 3:
      return power_sum_of<3>(c, count, most);
    case 4:
      return power_sum_of<4>(c, count, most);
    case 5:
      return power_sum_of<5>(c, count, most);
    default:
      return power_sum_of<6>(c, count, most);
  }
}

template <int Power>
HWY_INLINE float raised_sum_of(const float* c, const float* error, std::size_t count) {
  Lanes sums;
  std::size_t j = 0;
  for (; j + group <= count; j += group)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = j + v * lanes;
      const Vec x = positive(hn::Add(hn::LoadU(Tag(), c + at), hn::LoadU(Tag(), error + at)));
      sums.part[v] = hn::Add(sums.part[v], raised<Power>(x));
    }
  float values[group];
  sums.store(values);
  for (; j < count; ++j) values[0] += raised<Power>(positive(c[j] + error[j]));
  return in_order(values);
}

float largest_raised(const float* c, const float* error, std::size_t count) {
  float most = 0;
  for (std::size_t j = 0; j < count; ++j) most = std::max(most, c[j] + error[j]);
  return most;
}

float raised_sum(const float* c, const float* error, std::size_t count, int power) {
  switch (power) {
    case 0:
      return largest_raised(c, error, count);
    case 1:
      return raised_sum_of<1>(c, error, count);
    case 2:
      return raised_sum_of<2>(c, error, count);
    case 3:
      return raised_sum_of<3>(c, error, count);
    case 4:
      return raised_sum_of<4>(c, error, count);
    case 5:
      return raised_sum_of<5>(c, error, count);
    default:
      return raised_sum_of<6>(c, error, count);
  }
}

WeightedSums weighted_sums(const float* weights, const float* c, const float* error,
                           std::size_t count) {
  Lanes sums, errors, magnitudes;
  std::size_t j = 0;
  for (; j + group <= count; j += group)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = j + v * lanes;
      const Vec weight = hn::LoadU(Tag(), weights + at);
      const Vec product = hn::Mul(weight, hn::LoadU(Tag(), c + at));
      const Vec wrong = hn::Mul(hn::Abs(weight), hn::LoadU(Tag(), error + at));
      sums.part[v] = hn::Add(sums.part[v], product);
      errors.part[v] = hn::Add(errors.part[v], wrong);
      magnitudes.part[v] = hn::Add(magnitudes.part[v], hn::Abs(product));
    }
  float sum[group], wrong[group], magnitude[group];
  sums.store(sum);
  errors.store(wrong);
  magnitudes.store(magnitude);
  for (; j < count; ++j) {
    const float product = weights[j] * c[j];
    sum[0] += product;
    wrong[0] += std::abs(weights[j]) * error[j];
    magnitude[0] += std::abs(product);
  }
  return {in_order(sum), in_order(wrong), in_order(magnitude)};
}

void near_products(const NearProducts& of, std::size_t count, float* HWY_RESTRICT c,
                   float* HWY_RESTRICT error) {
  const Tag d;
  const Vec scale = hn::Set(d, of.scale), outside = hn::Set(d, of.outside),
            rounding = hn::Set(d, of.rounding);
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) {
    hn::StoreU(hn::MulAdd(scale, hn::LoadU(d, of.rest + j), hn::LoadU(d, of.near + j)), d, c + j);
    const Vec moved = hn::Add(hn::LoadU(d, of.moved + j), hn::LoadU(d, of.path + j));
    const Vec rounded = hn::Mul(rounding, hn::LoadU(d, of.sizes + j));
    hn::StoreU(hn::MulAdd(outside, moved, rounded), d, error + j);
  }
  for (; j < count; ++j) {
    c[j] = of.near[j] + of.scale * of.rest[j];
    error[j] = of.outside * (of.moved[j] + of.path[j]) + of.rounding * of.sizes[j];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(largest);
HWY_EXPORT(power_sum);
HWY_EXPORT(raised_sum);
HWY_EXPORT(weighted_sums);
HWY_EXPORT(near_products);

float largest(const float* c, std::size_t count) { return HWY_DYNAMIC_DISPATCH(largest)(c, count); }

float power_sum(const float* c, std::size_t count, float most, int power) {
  return HWY_DYNAMIC_DISPATCH(power_sum)(c, count, most, power);
}

float raised_sum(const float* c, const float* error, std::size_t count, int power) {
  return HWY_DYNAMIC_DISPATCH(raised_sum)(c, error, count, power);
}

WeightedSums weighted_sums(const float* weights, const float* c, const float* error,
                           std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(weighted_sums)(weights, c, error, count);
}

void near_products(const NearProducts& of, std::size_t count, float* c, float* error) {
  HWY_DYNAMIC_DISPATCH(near_products)(of, count, c, error);
}

}  // namespace semblance::ml3
#endif
