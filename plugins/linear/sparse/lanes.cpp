// SPDX-License-Identifier: MIT
#include "sparse/lanes.hpp"

#include <type_traits>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sparse/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::linear::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using FourDoubles = hn::CappedTag<double, lane_step>;
using OneDouble = hn::CappedTag<double, 1>;

// Entries whose weights are prefetched: about the latency of memory.
constexpr std::size_t ahead = 8;

/// N vectors of lanes; their sums stay in registers.
template <class D, std::size_t N>
void add_products_of(const SparseRow& row, const double* HWY_RESTRICT weights, std::size_t lanes,
                     double* HWY_RESTRICT out) {
  const D d;
  hn::Vec<D> sums[N];
  for (std::size_t v = 0; v < N; ++v) sums[v] = hn::LoadU(d, out + v * hn::Lanes(d));
  for (std::size_t k = 0; k < row.size; ++k) {
    if (k + ahead < row.size) __builtin_prefetch(weights + row.columns[k + ahead] * lanes);
    const auto x = hn::Set(d, double{row.values[k]});
    const double* at = weights + row.columns[k] * lanes;
    for (std::size_t v = 0; v < N; ++v)
      sums[v] = hn::MulAdd(x, hn::LoadU(d, at + v * hn::Lanes(d)), sums[v]);
  }
  for (std::size_t v = 0; v < N; ++v) hn::StoreU(sums[v], d, out + v * hn::Lanes(d));
}

template <class D, std::size_t N>
void add_row_to(const SparseRow& row, const double* HWY_RESTRICT factors, std::size_t lanes,
                double* HWY_RESTRICT weights) {
  const D d;
  hn::Vec<D> f[N];
  for (std::size_t v = 0; v < N; ++v) f[v] = hn::LoadU(d, factors + v * hn::Lanes(d));
  for (std::size_t k = 0; k < row.size; ++k) {
    if (k + ahead < row.size) __builtin_prefetch(weights + row.columns[k + ahead] * lanes);
    const auto x = hn::Set(d, double{row.values[k]});
    double* at = weights + row.columns[k] * lanes;
    for (std::size_t v = 0; v < N; ++v)
      hn::StoreU(hn::MulAdd(x, f[v], hn::LoadU(d, at + v * hn::Lanes(d))), d,
                 at + v * hn::Lanes(d));
  }
}

template <class T>
T one_product(const SparseRow& row, const T* weights) {
  const hn::CappedTag<T, 1> d;
  constexpr std::size_t at_once = 4;
  hn::Vec<decltype(d)> sums[at_once];
  for (auto& sum : sums) sum = hn::Zero(d);
  const auto add = [&](std::size_t k, std::size_t s) HWY_ATTR {
    sums[s] =
        hn::MulAdd(hn::Set(d, T{row.values[k]}), hn::LoadU(d, weights + row.columns[k]), sums[s]);
  };
  std::size_t k = 0;
  for (; k + at_once <= row.size; k += at_once)
    for (std::size_t s = 0; s < at_once; ++s) add(k + s, s);
  for (; k < row.size; ++k) add(k, 0);
  return hn::GetLane(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
}

double double_product(const SparseRow& row, const double* weights) {
  return one_product(row, weights);
}
float float_product(const SparseRow& row, const float* weights) {
  return one_product(row, weights);
}

/// Calls body(tag, number of vectors, first lane) for all lanes, with as many vectors at a time as
/// fit into registers.
template <class Body>
void for_vectors(std::size_t lanes, const Body& body) {
  if (lanes == 1) return body(OneDouble(), std::integral_constant<std::size_t, 1>(), 0);
  const std::size_t step = hn::Lanes(Doubles());
  std::size_t l = 0;
  for (; l + 4 * step <= lanes; l += 4 * step)
    body(Doubles(), std::integral_constant<std::size_t, 4>(), l);
  for (; l + 2 * step <= lanes; l += 2 * step)
    body(Doubles(), std::integral_constant<std::size_t, 2>(), l);
  for (; l + step <= lanes; l += step) body(Doubles(), std::integral_constant<std::size_t, 1>(), l);
  for (; l < lanes; l += hn::Lanes(FourDoubles()))
    body(FourDoubles(), std::integral_constant<std::size_t, 1>(), l);
}

void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out) {
  for_vectors(
      lanes, [&]<class D, std::size_t N>(D, std::integral_constant<std::size_t, N>, std::size_t l) {
        add_products_of<D, N>(row, weights + l, lanes, out + l);
      });
}

void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights) {
  for_vectors(
      lanes, [&]<class D, std::size_t N>(D, std::integral_constant<std::size_t, N>, std::size_t l) {
        add_row_to<D, N>(row, factors + l, lanes, weights + l);
      });
}

using Floats = hn::CappedTag<float, 16>;
using FourFloats = hn::CappedTag<float, lane_step>;
using OneFloat = hn::CappedTag<float, 1>;

/// Lanes in F vectors of D and Q of four: a problem's sums of every other entry are added up last,
/// whatever its vector.
template <class D, std::size_t F, std::size_t Q>
struct FloatLanes {
  static constexpr D d{};
  static constexpr FourFloats four{};
  static std::size_t place(std::size_t v) { return v * hn::Lanes(d); }
  static std::size_t rest(std::size_t v) { return F * hn::Lanes(d) + v * hn::Lanes(four); }

  hn::Vec<D> full[F > 0 ? F : 1];
  hn::Vec<FourFloats> fours[Q > 0 ? Q : 1];

  HWY_INLINE void load(const float* from) {
    for (std::size_t v = 0; v < F; ++v) full[v] = hn::LoadU(d, from + place(v));
    for (std::size_t v = 0; v < Q; ++v) fours[v] = hn::LoadU(four, from + rest(v));
  }
  HWY_INLINE void clear() {
    for (std::size_t v = 0; v < F; ++v) full[v] = hn::Zero(d);
    for (std::size_t v = 0; v < Q; ++v) fours[v] = hn::Zero(four);
  }
  HWY_INLINE void add_product(float x, const float* weights) {
    for (std::size_t v = 0; v < F; ++v)
      full[v] = hn::MulAdd(hn::Set(d, x), hn::LoadU(d, weights + place(v)), full[v]);
    for (std::size_t v = 0; v < Q; ++v)
      fours[v] = hn::MulAdd(hn::Set(four, x), hn::LoadU(four, weights + rest(v)), fours[v]);
  }
  /// to += x times these.
  HWY_INLINE void add_to(float x, float* to) const {
    for (std::size_t v = 0; v < F; ++v)
      hn::StoreU(hn::MulAdd(hn::Set(d, x), full[v], hn::LoadU(d, to + place(v))), d, to + place(v));
    for (std::size_t v = 0; v < Q; ++v)
      hn::StoreU(hn::MulAdd(hn::Set(four, x), fours[v], hn::LoadU(four, to + rest(v))), four,
                 to + rest(v));
  }
  HWY_INLINE void store_sum(const FloatLanes& other, float* to) const {
    for (std::size_t v = 0; v < F; ++v)
      hn::StoreU(hn::Add(full[v], other.full[v]), d, to + place(v));
    for (std::size_t v = 0; v < Q; ++v)
      hn::StoreU(hn::Add(fours[v], other.fours[v]), four, to + rest(v));
  }
};

/// A column's weights span two cache lines.
HWY_INLINE void prefetch(const float* weights, std::size_t lanes) {
  __builtin_prefetch(weights);
  __builtin_prefetch(weights + lanes - 1);
}

template <class L>
void float_products(const SparseRow& row, const float* HWY_RESTRICT weights, std::size_t lanes,
                    float* HWY_RESTRICT out) {
  L even, odd;
  even.load(out);
  odd.clear();
  std::size_t k = 0;
  for (; k + 2 <= row.size; k += 2) {
    if (k + ahead + 2 <= row.size)
      for (std::size_t next = k + ahead; next < k + ahead + 2; ++next)
        prefetch(weights + row.columns[next] * lanes, lanes);
    even.add_product(row.values[k], weights + row.columns[k] * lanes);
    odd.add_product(row.values[k + 1], weights + row.columns[k + 1] * lanes);
  }
  if (k < row.size) even.add_product(row.values[k], weights + row.columns[k] * lanes);
  even.store_sum(odd, out);
}

template <class L>
void add_float_row(const SparseRow& row, const float* HWY_RESTRICT factors, std::size_t lanes,
                   float* HWY_RESTRICT weights) {
  L f;
  f.load(factors);
  for (std::size_t k = 0; k < row.size; ++k)
    f.add_to(row.values[k], weights + row.columns[k] * lanes);
}

/// Calls body with the type of vectors of this number of lanes.
template <class Body, std::size_t F = 0, std::size_t Q = 0>
void for_floats(std::size_t lanes, const Body& body) {
  constexpr std::size_t width = hn::MaxLanes(Floats()), four = hn::MaxLanes(FourFloats());
  if constexpr (F == 0 && Q == 0)
    if (lanes == 1) return body(FloatLanes<OneFloat, 1, 0>());
  if (lanes == F * width + Q * four) return body(FloatLanes<Floats, F, Q>());
  if constexpr ((Q + 1) * four < width && F * width + (Q + 1) * four <= most_lanes)
    if (lanes < (F + 1) * width) return for_floats<Body, F, Q + 1>(lanes, body);
  if constexpr (Q == 0 && (F + 1) * width <= most_lanes)
    return for_floats<Body, F + 1, 0>(lanes, body);
}

void add_float_products(const SparseRow& row, const float* weights, std::size_t lanes, float* out) {
  for_floats(lanes, [&]<class L>(L) { float_products<L>(row, weights, lanes, out); });
}

void add_floats(const SparseRow& row, const float* factors, std::size_t lanes, float* weights) {
  for_floats(lanes, [&]<class L>(L) { add_float_row<L>(row, factors, lanes, weights); });
}

}  // namespace
}  // namespace semblance::linear::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::linear {

HWY_EXPORT(add_products);
HWY_EXPORT(add_row);
HWY_EXPORT(double_product);
HWY_EXPORT(float_product);
HWY_EXPORT(add_float_products);
HWY_EXPORT(add_floats);

void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out) {
  HWY_DYNAMIC_DISPATCH(add_products)(row, weights, lanes, out);
}

void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights) {
  HWY_DYNAMIC_DISPATCH(add_row)(row, factors, lanes, weights);
}

double product(const SparseRow& row, const double* weights) {
  return HWY_DYNAMIC_DISPATCH(double_product)(row, weights);
}

float product(const SparseRow& row, const float* weights) {
  return HWY_DYNAMIC_DISPATCH(float_product)(row, weights);
}

void add_products(const SparseRow& row, const float* weights, std::size_t lanes, float* out) {
  HWY_DYNAMIC_DISPATCH(add_float_products)(row, weights, lanes, out);
}

void add_row(const SparseRow& row, const float* factors, std::size_t lanes, float* weights) {
  HWY_DYNAMIC_DISPATCH(add_floats)(row, factors, lanes, weights);
}

}  // namespace semblance::linear
#endif  // HWY_ONCE
