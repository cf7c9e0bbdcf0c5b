// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance_numerics/simd_targets.hpp"
#include "sinkhorn.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "log_sum_exp.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::sets {
namespace HWY_NAMESPACE {

double log_of_sum(const double* values, const double* costs, std::size_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr hn::ScalableTag<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const std::size_t whole = count / lanes * lanes;
  // The remainder is padded with zero terms.
  HWY_ALIGN double rest[lanes];
  std::fill_n(rest, lanes, -std::numeric_limits<double>::infinity());
  for (std::size_t k = whole; k < count; ++k) rest[k - whole] = values[k] - costs[k];
  auto highest = hn::Load(d, rest);
  for (std::size_t k = 0; k < whole; k += lanes)
    highest = hn::Max(highest, hn::Sub(hn::LoadU(d, values + k), hn::LoadU(d, costs + k)));
  const auto top = hn::MaxOfLanes(d, highest);
  // It does not handle exp() of -infinity.
  const auto floor = hn::Set(d, -700.0);
  auto sum = hn::Zero(d);
  if (whole < count) sum = hn::Exp(d, hn::Max(hn::Sub(hn::Load(d, rest), top), floor));
  for (std::size_t k = 0; k < whole; k += lanes) {
    const auto term = hn::Sub(hn::LoadU(d, values + k), hn::LoadU(d, costs + k));
    sum = hn::Add(sum, hn::Exp(d, hn::Max(hn::Sub(term, top), floor)));
  }
  return hn::GetLane(top) + std::log(hn::GetLane(hn::SumOfLanes(d, sum)));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::sets
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::sets {

HWY_EXPORT(log_of_sum);

double log_sum_exp(const double* values, const double* costs, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(log_of_sum)(values, costs, count);
}

}  // namespace semblance::sets
#endif
