// SPDX-License-Identifier: MIT
#include "subproblem.hpp"

#include <cstdint>

// For float64 these gain little over SSE2 and AVX-512 and would only cost compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dual/subproblem.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef SEMBLANCE_SUBPROBLEM_ARGUMENTS
#define SEMBLANCE_SUBPROBLEM_ARGUMENTS
namespace semblance::numerics {

struct Choice {
  std::size_t index;
  double value;
};

/// The arrays of a working set, padded to whole vectors of every target.
struct PairArrays {
  std::size_t size;
  double* f;
  const double* up;   // 0 if the variable may grow, else infinity
  const double* low;  // 0 if it may shrink, else minus infinity
  double* low_f;      // f + low
  const float* diagonal;
};

}  // namespace semblance::numerics
#endif

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t most_lanes = 256;  // of the largest possible vectors, in doubles

/// f += step (ki - kj); then the smallest f that may grow, and the largest that may shrink.
Choice move(const PairArrays& a, const float* HWY_RESTRICT ki, const float* HWY_RESTRICT kj,
            double step, double* largest) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  const auto t = hn::Set(d, step);
  auto best = hn::Set(d, std::numeric_limits<double>::infinity());
  auto best_at = hn::Zero(d), at = hn::Iota(d, 0);
  auto most = hn::Neg(best);
  const auto stride = hn::Set(d, static_cast<double>(lanes));
  for (std::size_t k = 0; k < a.size; k += lanes) {
    const auto difference = hn::PromoteTo(d, hn::Sub(hn::LoadU(df, ki + k), hn::LoadU(df, kj + k)));
    const auto f = hn::MulAdd(t, difference, hn::Load(d, a.f + k));
    hn::Store(f, d, a.f + k);
    const auto growing = hn::Add(f, hn::Load(d, a.up + k));
    const auto better = hn::Lt(growing, best);
    best = hn::IfThenElse(better, growing, best);
    best_at = hn::IfThenElse(better, at, best_at);
    at = hn::Add(at, stride);
    const auto shrinking = hn::Add(f, hn::Load(d, a.low + k));
    hn::Store(shrinking, d, a.low_f + k);
    most = hn::Max(most, shrinking);
  }
  *largest = hn::GetLane(hn::MaxOfLanes(d, most));
  HWY_ALIGN double values[most_lanes], places[most_lanes];
  hn::Store(best, d, values);
  hn::Store(best_at, d, places);
  std::size_t chosen = 0;
  for (std::size_t l = 1; l < lanes; ++l)
    if (values[l] < values[chosen] || (values[l] == values[chosen] && places[l] < places[chosen]))
      chosen = l;
  return {static_cast<std::size_t>(places[chosen]), values[chosen]};
}

/// f[k] - own in float, a vector of them.
template <class D>
HWY_INLINE hn::Vec<D> gaps(D d, const double* f, double own) {
  const hn::Half<D> dh;
  const hn::Rebind<double, decltype(dh)> dd;
  const auto low = hn::DemoteTo(dh, hn::Sub(hn::Load(dd, f), hn::Set(dd, own)));
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return low;
#else
  const double* rest = f + hn::Lanes(dd);
  return hn::Combine(d, hn::DemoteTo(dh, hn::Sub(hn::Load(dd, rest), hn::Set(dd, own))), low);
#endif
}

/// The partner of i that lowers the objective most, by Fan, Chen and Lin's second-order estimate.
std::size_t partner(const PairArrays& a, const float* HWY_RESTRICT ki, double fi, float kii) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d), tiny = hn::Set(d, 1e-12F), diagonal = hn::Set(d, kii);
  auto best = hn::Set(d, -1.0F), best_at = zero;
  auto at = hn::Iota(d, 0);
  const auto stride = hn::Set(d, static_cast<float>(lanes));
  for (std::size_t k = 0; k < a.size; k += lanes) {
    const auto gap = gaps(d, a.low_f + k, fi);
    const auto k_ij = hn::Load(d, ki + k);
    const auto curvature =
        hn::Max(hn::Sub(hn::Add(diagonal, hn::Load(d, a.diagonal + k)), hn::Add(k_ij, k_ij)), tiny);
    const auto gain =
        hn::IfThenElse(hn::Gt(gap, zero), hn::Div(hn::Mul(gap, gap), curvature), hn::Neg(tiny));
    const auto better = hn::Gt(gain, best);
    best = hn::IfThenElse(better, gain, best);
    best_at = hn::IfThenElse(better, at, best_at);
    at = hn::Add(at, stride);
  }
  HWY_ALIGN float values[2 * most_lanes], places[2 * most_lanes];
  hn::Store(best, d, values);
  hn::Store(best_at, d, places);
  std::size_t chosen = 0;
  for (std::size_t l = 1; l < lanes; ++l)
    if (values[l] > values[chosen] || (values[l] == values[chosen] && places[l] < places[chosen]))
      chosen = l;
  return static_cast<std::size_t>(places[chosen]);
}

}  // namespace semblance::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {
namespace {

HWY_EXPORT(move);
HWY_EXPORT(partner);

constexpr double infinity = std::numeric_limits<double>::infinity();
// The curvature assumed for a direction without any, as in LIBSVM.
constexpr double least_curvature = 1e-12;

template <class T>
hwy::AlignedFreeUniquePtr<T[]> zeros(std::size_t count) {
  auto values = hwy::AllocateAligned<T>(count);
  if (!values) throw std::bad_alloc();
  std::fill_n(values.get(), count, T{0});
  return values;
}

}  // namespace

Subproblem::Subproblem(std::size_t capacity)
    : capacity_(capacity),
      stride_((capacity + 63) / 64 * 64 + 16),
      kernel_(zeros<float>(capacity * stride_)),
      diagonal_(zeros<float>(stride_)),
      doubles_(zeros<double>(arrays * stride_)) {
  for (std::size_t i = 0; i < stride_; ++i) clear(i);
}

void Subproblem::clear(std::size_t i) noexcept {
  at(values, i) = at(gradients, i) = at(lowers, i) = at(uppers, i) = 0;
  at(up, i) = infinity;
  at(low, i) = -infinity;
}

void Subproblem::set(std::size_t i, double value, double gradient, double lower,
                     double upper) noexcept {
  at(values, i) = value;
  at(gradients, i) = gradient;
  at(lowers, i) = lower;
  at(uppers, i) = upper;
  limit(i);
}

void Subproblem::limit(std::size_t i) noexcept {
  at(up, i) = at(values, i) < at(uppers, i) ? 0 : infinity;
  at(low, i) = at(values, i) > at(lowers, i) ? 0 : -infinity;
}

std::size_t Subproblem::minimise(double tolerance, std::size_t most_steps,
                                 const std::function<bool()>& stop) {
  constexpr std::size_t steps_a_poll = 4096;
  for (std::size_t i = 0; i < capacity_; ++i) diagonal_[i] = kernel(i)[i];
  const PairArrays a{stride_,    array(gradients),     array(up),
                     array(low), array(low_gradients), diagonal_.get()};
  double largest = 0;
  Choice first = HWY_DYNAMIC_DISPATCH(move)(a, kernel(0), kernel(0), 0, &largest);
  std::size_t steps = 0;
  for (; steps < most_steps && largest - first.value >= tolerance; ++steps) {
    if (stop && steps % steps_a_poll == steps_a_poll - 1 && stop()) break;
    const std::size_t i = first.index;
    const std::size_t j = HWY_DYNAMIC_DISPATCH(partner)(a, kernel(i), first.value, diagonal_[i]);
    const double curvature = std::max(
        static_cast<double>(diagonal_[i]) + diagonal_[j] - 2.0 * kernel(i)[j], least_curvature);
    double& grows = at(values, i);
    double& shrinks = at(values, j);
    const double room_above = at(uppers, i) - grows, room_below = shrinks - at(lowers, j);
    const double step =
        std::min({(at(gradients, j) - at(gradients, i)) / curvature, room_above, room_below});
    grows = step == room_above ? at(uppers, i) : grows + step;
    shrinks = step == room_below ? at(lowers, j) : shrinks - step;
    limit(i);
    limit(j);
    first = HWY_DYNAMIC_DISPATCH(move)(a, kernel(i), kernel(j), step, &largest);
  }
  return steps;
}

}  // namespace semblance::numerics
#endif
