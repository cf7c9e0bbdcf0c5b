// SPDX-License-Identifier: MIT
#include "latent/class_kernels.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "latent/class_kernels.cpp"
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

float dot(const float* a, const float* b, std::size_t count) {
  Lanes sums;
  std::size_t j = 0;
  for (; j + group <= count; j += group)
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = j + v * lanes;
      const Vec product = hn::Mul(hn::LoadU(Tag(), a + at), hn::LoadU(Tag(), b + at));
      sums.part[v] = hn::Add(sums.part[v], product);
    }
  float values[group];
  sums.store(values);
  for (; j < count; ++j) values[0] += a[j] * b[j];
  return in_order(values);
}

/// The sums of `Parts` vectors stay in registers while all rows are added to them.
template <std::size_t Parts>
HWY_INLINE void add_rows_at(float* HWY_RESTRICT to, const float* const* rows,
                            const float* HWY_RESTRICT factors, std::size_t count, std::size_t at) {
  Vec sums[Parts];
  for (std::size_t p = 0; p < Parts; ++p) sums[p] = hn::LoadU(Tag(), to + at + p * lanes);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec factor = hn::Set(Tag(), factors[i]);
    for (std::size_t p = 0; p < Parts; ++p)
      sums[p] = hn::Add(sums[p], hn::Mul(factor, hn::LoadU(Tag(), rows[i] + at + p * lanes)));
  }
  for (std::size_t p = 0; p < Parts; ++p) hn::StoreU(sums[p], Tag(), to + at + p * lanes);
}

void add_rows(float* HWY_RESTRICT to, std::size_t size, const float* const* rows,
              const float* HWY_RESTRICT factors, std::size_t count) {
  if (size < lanes) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < size; ++j) to[j] += factors[i] * rows[i][j];
    return;
  }
  // The last vector overlaps the one before.
  const std::size_t last = size - lanes;
  Vec sums = hn::LoadU(Tag(), to + last);
  for (std::size_t i = 0; i < count && size % lanes != 0; ++i)
    sums = hn::Add(sums, hn::Mul(hn::Set(Tag(), factors[i]), hn::LoadU(Tag(), rows[i] + last)));
  std::size_t j = 0;
  for (; j + 8 * lanes <= size; j += 8 * lanes) add_rows_at<8>(to, rows, factors, count, j);
  for (; j + 4 * lanes <= size; j += 4 * lanes) add_rows_at<4>(to, rows, factors, count, j);
  for (; j + 2 * lanes <= size; j += 2 * lanes) add_rows_at<2>(to, rows, factors, count, j);
  for (; j + lanes <= size; j += lanes) add_rows_at<1>(to, rows, factors, count, j);
  if (size % lanes != 0) hn::StoreU(sums, Tag(), to + last);
}

/// Calls `add` with vectors that together hold the values, and zeros.
template <class Add>
HWY_INLINE void for_vectors(const float* c, std::size_t count, const Add& add) {
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes) add(hn::LoadU(Tag(), c + j));
  if (j == count) return;
  if (count >= lanes) {
    const auto seen = hn::FirstN(Tag(), lanes - (count - j));
    return add(hn::IfThenZeroElse(seen, hn::LoadU(Tag(), c + count - lanes)));
  }
  float values[lanes] = {};
  std::copy_n(c, count, values);
  add(hn::LoadU(Tag(), values));
}

HWY_INLINE Vec largest_vector(Vec most, const float* c, std::size_t count) {
  for_vectors(c, count, [&](Vec x) HWY_ATTR { most = larger(most, x); });
  return most;
}

HWY_INLINE float largest_lane(Vec x) { return hn::GetLane(hn::MaxOfLanes(Tag(), x)); }

template <int Power>
HWY_INLINE void power_sums_of(const ClassProducts& of, float scale, float* HWY_RESTRICT sums) {
  const Vec factor = hn::Set(Tag(), scale);
  for (std::size_t y = 0; y < of.classes; ++y) {
    Vec sum = hn::Zero(Tag());
    for_vectors(of.products + y * of.models, of.models, [&](Vec x) HWY_ATTR {
      sum = hn::Add(sum, raised<Power>(hn::Mul(positive(x), factor)));
    });
    *sums++ = hn::GetLane(hn::SumOfLanes(Tag(), sum));
  }
}

HWY_INLINE void largest_products(const ClassProducts& of, float scale, float* HWY_RESTRICT out) {
  for (std::size_t y = 0; y < of.classes; ++y) {
    const float* products = of.products + y * of.models;
    *out++ = scale * largest_lane(largest_vector(hn::Zero(Tag()), products, of.models));
  }
}

void power_sums(const ClassProducts& of, float scale, int power, float* HWY_RESTRICT sums) {
  switch (power) {
    case 0:
      return largest_products(of, scale, sums);
    case 1:
      return power_sums_of<1>(of, scale, sums);
    case 2:
      return power_sums_of<2>(of, scale, sums);
    case 3:
      return power_sums_of<3>(of, scale, sums);
    case 4:
      return power_sums_of<4>(of, scale, sums);
    case 5:
      return power_sums_of<5>(of, scale, sums);
    default:
      return power_sums_of<6>(of, scale, sums);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {

HWY_EXPORT(largest);
HWY_EXPORT(power_sum);
HWY_EXPORT(dot);
HWY_EXPORT(add_rows);
HWY_EXPORT(power_sums);

float largest(const float* c, std::size_t count) { return HWY_DYNAMIC_DISPATCH(largest)(c, count); }

float power_sum(const float* c, std::size_t count, float most, int power) {
  return HWY_DYNAMIC_DISPATCH(power_sum)(c, count, most, power);
}

float dot(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, count);
}

void add_rows(float* to, std::size_t size, const float* const* rows, const float* factors,
              std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_rows)(to, size, rows, factors, count);
}

void power_sums(const ClassProducts& of, float scale, int power, float* sums) {
  HWY_DYNAMIC_DISPATCH(power_sums)(of, scale, power, sums);
}

}  // namespace semblance::ml3
#endif
