// SPDX-License-Identifier: MIT
#include "semblance_numerics/product_shares.hpp"

#include <cmath>
#include <numbers>

// For float64 these gain little over SSE2 and would only cost compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "product_shares.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `count` nodes, a multiple of 8. One row of `before` per player: at each node, the node's weight
/// times the factors of all players before it. Each sum is over 8 fixed lanes, so that its bits do
/// not depend on the target's width.
void product_shares(const double* nodes, const double* weights, std::size_t count,
                    const double* present, const double* absent, std::size_t players, double factor,
                    double* HWY_RESTRICT shares, double* HWY_RESTRICT before) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  double* const product = before + players * count;
  double* const sums = product + count;
  for (std::size_t q = 0; q < count; q += lanes)
    hn::StoreU(hn::LoadU(d, weights + q), d, product + q);
  for (std::size_t k = 0; k < players; ++k) {
    const auto from = hn::Set(d, absent[k]), by = hn::Set(d, present[k] - absent[k]);
    for (std::size_t q = 0; q < count; q += lanes) {
      const auto all = hn::LoadU(d, product + q);
      hn::StoreU(all, d, before + k * count + q);
      hn::StoreU(hn::Mul(all, hn::MulAdd(by, hn::LoadU(d, nodes + q), from)), d, product + q);
    }
  }
  for (std::size_t q = 0; q < count; q += lanes) hn::StoreU(hn::Set(d, 1.0), d, product + q);
  for (std::size_t k = players; k-- > 0;) {
    const auto from = hn::Set(d, absent[k]), by = hn::Set(d, present[k] - absent[k]);
    for (std::size_t i = 0; i < 8; i += lanes) hn::StoreU(hn::Zero(d), d, sums + i);
    for (std::size_t q = 0; q < count; q += 8)
      for (std::size_t i = 0; i < 8; i += lanes) {
        const auto after = hn::LoadU(d, product + q + i);
        hn::StoreU(
            hn::MulAdd(hn::LoadU(d, before + k * count + q + i), after, hn::LoadU(d, sums + i)), d,
            sums + i);
        hn::StoreU(hn::Mul(after, hn::MulAdd(by, hn::LoadU(d, nodes + q + i), from)), d,
                   product + q + i);
      }
    const double sum =
        ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    shares[k] += factor * (present[k] - absent[k]) * sum;
  }
}

}  // namespace semblance::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(product_shares);

namespace {

/// The Legendre polynomial of degree n at x, and its derivative.
struct Legendre {
  double value, slope;
};

Legendre legendre(std::size_t n, double x) {
  double before = 1, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (before - x * value) / (1 - x * x)};
}

}  // namespace

/// Gauss-Legendre nodes on [0, 1], by Newton's method from an approximation of the roots.
ProductShares::ProductShares(std::size_t players) : players_(players) {
  const std::size_t n = (players + 1) / 2, padded = (n + 7) / 8 * 8;
  nodes_.assign(padded, 0);
  weights_.assign(padded, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) /
                        (static_cast<double>(n) + 0.5));
    constexpr int most_steps = 100;
    for (int step = 0; n > 1 && step < most_steps; ++step) {
      const Legendre p = legendre(n, x);
      x -= p.value / p.slope;
      if (std::abs(p.value / p.slope) < 1e-15) break;
    }
    if (n == 1) x = 0;
    const double slope = n == 1 ? 1 : legendre(n, x).slope;
    nodes_[i] = (1 + x) / 2;
    weights_[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

void ProductShares::add(const double* present, const double* absent, double weight, double* shares,
                        double* scratch) const {
  HWY_DYNAMIC_DISPATCH(product_shares)
  (nodes_.data(), weights_.data(), nodes_.size(), present, absent, players_, weight, shares,
   scratch);
}

}  // namespace semblance::numerics
#endif
