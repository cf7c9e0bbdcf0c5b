// SPDX-License-Identifier: MIT
#include "kernels/pair_formulas.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_formulas.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::pairs {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t lanes = HWY_LANES(float);

/// out[j] = body(position, load) for whole vectors, and for the remainder through the stack.
template <class Body>
HWY_INLINE void for_each_vector(std::size_t count, float* HWY_RESTRICT out, const Body& body) {
  const Tag d;
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes)
    hn::StoreU(body([&](const float* p) HWY_ATTR { return hn::LoadU(d, p + j); }), d, out + j);
  if (j == count) return;
  HWY_ALIGN float rest[lanes] = {};
  const auto load = [&](const float* p) HWY_ATTR {
    HWY_ALIGN float values[lanes] = {};
    std::copy_n(p + j, count - j, values);
    return hn::Load(d, values);
  };
  hn::Store(body(load), d, rest);
  std::copy_n(rest, count - j, out + j);
}

HWY_INLINE Vec power(Vec x, std::int64_t degree) {
  Vec result = x;
  for (std::int64_t i = 1; i < degree; ++i) result = hn::Mul(result, x);
  return result;
}

HWY_INLINE Vec sum(Vec ac, Vec ad, Vec bc, Vec bd) {
  return hn::Mul(hn::Set(Tag(), 0.5F), hn::Add(hn::Add(ac, bd), hn::Add(ad, bc)));
}

HWY_INLINE Vec metric(Vec ac, Vec ad, Vec bc, Vec bd) {
  const Vec half = hn::Mul(hn::Set(Tag(), 0.5F), hn::Sub(hn::Add(ac, bd), hn::Add(ad, bc)));
  return hn::Mul(half, half);
}

HWY_INLINE Vec tensor(Vec ac, Vec ad, Vec bc, Vec bd) {
  return hn::Mul(hn::Set(Tag(), 0.5F), hn::Add(hn::Mul(ac, bd), hn::Mul(ad, bc)));
}

HWY_INLINE Vec antisymmetric(Vec ac, Vec ad, Vec bc, Vec bd) {
  const Vec half = hn::Mul(hn::Set(Tag(), 0.5F), hn::Sub(hn::Mul(ac, bd), hn::Mul(ad, bc)));
  return hn::Mul(half, half);
}

template <class Of>
HWY_INLINE void each(const StandardKernelColumns& k, float* out, const Of& of) {
  for_each_vector(k.count, out, [&](const auto& load) HWY_ATTR {
    return of(load(k.ac), load(k.ad), load(k.bc), load(k.bd));
  });
}

void polynomial(const PairFormula& f, const StandardKernelColumns& k, float* out) {
  const Vec r = hn::Set(Tag(), static_cast<float>(f.offset));
  const std::int64_t p = f.degree;
  if (f.kind == Formula::polynomial_direct_sum)
    return each(k, out, [&](Vec ac, Vec, Vec, Vec bd) HWY_ATTR {
      return power(hn::Add(hn::Add(ac, bd), r), p);
    });
  if (f.kind == Formula::polynomial_tensor)
    return each(k, out, [&](Vec ac, Vec, Vec, Vec bd) HWY_ATTR {
      return power(hn::Add(hn::Mul(ac, bd), r), p);
    });
  for_each_vector(k.count, out, [&](const auto& load) HWY_ATTR {
    const Vec straight = hn::Add(load(k.ac), load(k.bd)), crossed = hn::Add(load(k.ad), load(k.bc));
    const Vec difference = hn::Mul(load(k.order), hn::Sub(straight, crossed));
    return power(hn::Add(hn::Add(hn::Add(straight, crossed), difference), r), p);
  });
}

void columns(const PairFormula& f, const StandardKernelColumns& k, float* out) {
  switch (f.kind) {
    case Formula::symmetric_direct_sum:
      return each(k, out,
                  [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR { return sum(ac, ad, bc, bd); });
    case Formula::metric_learning:
      return each(k, out,
                  [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR { return metric(ac, ad, bc, bd); });
    case Formula::tensor_learning:
      return each(k, out,
                  [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR { return tensor(ac, ad, bc, bd); });
    case Formula::asymmetric_tensor:
      return each(k, out, [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR {
        return antisymmetric(ac, ad, bc, bd);
      });
    case Formula::direct_sum:
      return each(k, out, [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR {
        return hn::Add(sum(ac, ad, bc, bd), metric(ac, ad, bc, bd));
      });
    case Formula::tensor_metric_learning:
      return each(k, out, [](Vec ac, Vec ad, Vec bc, Vec bd) HWY_ATTR {
        return hn::Add(tensor(ac, ad, bc, bd), metric(ac, ad, bc, bd));
      });
    default:
      return polynomial(f, k, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::pairs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::pairs {
namespace {

HWY_EXPORT(columns);

double power(double x, std::int64_t degree) noexcept {
  double result = x;
  for (std::int64_t i = 1; i < degree; ++i) result *= x;
  return result;
}

double square(double x) noexcept { return x * x; }

}  // namespace

double evaluate(const PairFormula& f, const StandardKernelValues& k) noexcept {
  const double straight = k.ac + k.bd, crossed = k.ad + k.bc;
  const double sum = (straight + crossed) / 2, metric = square((straight - crossed) / 2);
  const double tensor = (k.ac * k.bd + k.ad * k.bc) / 2;
  switch (f.kind) {
    case Formula::polynomial_direct_sum:
      return power(straight + f.offset, f.degree);
    case Formula::polynomial_tensor:
      return power(k.ac * k.bd + f.offset, f.degree);
    case Formula::symmetric_direct_sum:
      return sum;
    case Formula::metric_learning:
      return metric;
    case Formula::tensor_learning:
      return tensor;
    case Formula::asymmetric_tensor:
      return square((k.ac * k.bd - k.ad * k.bc) / 2);
    case Formula::direct_sum:
      return sum + metric;
    case Formula::tensor_metric_learning:
      return tensor + metric;
    case Formula::ordered_representation:
      return power(straight + crossed + k.order * (straight - crossed) + f.offset, f.degree);
  }
  return 0;
}

void evaluate(const PairFormula& formula, const StandardKernelColumns& k, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(columns)(formula, k, out);
}

}  // namespace semblance::pairs
#endif
