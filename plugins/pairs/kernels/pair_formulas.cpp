// SPDX-License-Identifier: MIT
#include "kernels/pair_formulas.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

template <class V>
HWY_INLINE V square(V x) {
  return x * x;
}

template <class V>
HWY_INLINE V power(V x, std::int64_t degree) {
  V result = x;
  for (std::int64_t i = 1; i < degree; ++i) result = result * x;
  return result;
}

/// The formulas, for a vector of pairs in float32 and for one pair in double.
template <class V>
HWY_INLINE V value(Formula kind, V ac, V ad, V bc, V bd, V order, V half, V offset,
                   std::int64_t degree) {
  const V straight = ac + bd, crossed = ad + bc;
  const V sum = half * (straight + crossed), metric = square(half * (straight - crossed));
  const V tensor = half * (ac * bd + ad * bc);
  switch (kind) {
    case Formula::polynomial_direct_sum:
      return power(straight + offset, degree);
    case Formula::polynomial_tensor:
      return power(ac * bd + offset, degree);
    case Formula::symmetric_direct_sum:
      return sum;
    case Formula::metric_learning:
      return metric;
    case Formula::tensor_learning:
      return tensor;
    case Formula::asymmetric_tensor:
      return square(half * (ac * bd - ad * bc));
    case Formula::direct_sum:
      return sum + metric;
    case Formula::tensor_metric_learning:
      return tensor + metric;
    case Formula::ordered_representation:
      return power(straight + crossed + order * (straight - crossed) + offset, degree);
  }
  return sum;
}

/// One kind's values, in whole vectors, and for the remainder through the stack.
template <Formula kind>
void fill(const PairFormula& f, const StandardKernelColumns& k, float* HWY_RESTRICT out) {
  const Tag d;
  const Vec half = hn::Set(d, 0.5F), offset = hn::Set(d, static_cast<float>(f.offset));
  const auto of = [&](const auto& load) HWY_ATTR {
    const Vec order = k.order ? load(k.order) : half;
    return value(kind, load(k.ac), load(k.ad), load(k.bc), load(k.bd), order, half, offset,
                 f.degree);
  };
  std::size_t j = 0;
  for (; j + lanes <= k.count; j += lanes)
    hn::StoreU(of([&](const float* p) HWY_ATTR { return hn::LoadU(d, p + j); }), d, out + j);
  if (j == k.count) return;
  HWY_ALIGN float rest[lanes] = {};
  const auto load = [&](const float* p) HWY_ATTR {
    HWY_ALIGN float values[lanes] = {};
    std::copy_n(p + j, k.count - j, values);
    return hn::Load(d, values);
  };
  hn::Store(of(load), d, rest);
  std::copy_n(rest, k.count - j, out + j);
}

template <std::size_t... kinds>
void choose(const PairFormula& f, const StandardKernelColumns& k, float* out,
            std::index_sequence<kinds...>) {
  constexpr std::array fills = {&fill<static_cast<Formula>(kinds)>...};
  fills[static_cast<std::size_t>(f.kind)](f, k, out);
}

void columns(const PairFormula& f, const StandardKernelColumns& k, float* out) {
  choose(f, k, out, std::make_index_sequence<formulas>());
}

double single(const PairFormula& f, const StandardKernelValues& k) {
  return value(f.kind, k.ac, k.ad, k.bc, k.bd, k.order, 0.5, f.offset, f.degree);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::pairs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::pairs {
namespace {

HWY_EXPORT(columns);
HWY_EXPORT(single);

}  // namespace

double evaluate(const PairFormula& formula, const StandardKernelValues& k) noexcept {
  return HWY_DYNAMIC_DISPATCH(single)(formula, k);
}

void evaluate(const PairFormula& formula, const StandardKernelColumns& k, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(columns)(formula, k, out);
}

}  // namespace semblance::pairs
#endif
