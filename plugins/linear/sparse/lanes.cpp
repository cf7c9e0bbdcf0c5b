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

double one_product(const SparseRow& row, const double* weights) {
  const OneDouble d;
  constexpr std::size_t at_once = 4;
  hn::Vec<OneDouble> sums[at_once];
  for (auto& sum : sums) sum = hn::Zero(d);
  const auto add = [&](std::size_t k, std::size_t s) HWY_ATTR {
    sums[s] = hn::MulAdd(hn::Set(d, double{row.values[k]}), hn::LoadU(d, weights + row.columns[k]),
                         sums[s]);
  };
  std::size_t k = 0;
  for (; k + at_once <= row.size; k += at_once)
    for (std::size_t s = 0; s < at_once; ++s) add(k + s, s);
  for (; k < row.size; ++k) add(k, 0);
  return hn::GetLane(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
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

}  // namespace
}  // namespace semblance::linear::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::linear {

HWY_EXPORT(add_products);
HWY_EXPORT(add_row);
HWY_EXPORT(one_product);

void add_products(const SparseRow& row, const double* weights, std::size_t lanes, double* out) {
  HWY_DYNAMIC_DISPATCH(add_products)(row, weights, lanes, out);
}

void add_row(const SparseRow& row, const double* factors, std::size_t lanes, double* weights) {
  HWY_DYNAMIC_DISPATCH(add_row)(row, factors, lanes, weights);
}

double product(const SparseRow& row, const double* weights) {
  return HWY_DYNAMIC_DISPATCH(one_product)(row, weights);
}

}  // namespace semblance::linear
#endif  // HWY_ONCE
