// SPDX-License-Identifier: MIT
// Shares of players who hardly differ, as power series.
#include <algorithm>
#include <cmath>

#include "runtime/explain/product_shares.hpp"
#include "semblance_numerics/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/explain/product_series.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, AbsentFactors::lanes>;
using Vec = hn::Vec<Lanes>;

constexpr std::size_t most_terms = 14;

/// Players in registers at a time.
constexpr std::size_t at_once = 4;

/// Whether all x_k = (present_k - absent_k) / (present_k + absent_k) are at most this in magnitude.
bool all_ratios_within(double most, const double* present, const double* low, const double* high,
                       std::size_t players) {
  const Lanes d;
  const Vec factor = hn::Set(d, most);
  for (std::size_t k = 0; k < players; k += hn::Lanes(d)) {
    const Vec p = hn::LoadU(d, present + k);
    for (const double* const absent : {low, high}) {
      const Vec a = hn::LoadU(d, absent + k);
      if (!hn::AllTrue(d, hn::Le(hn::Abs(hn::Sub(p, a)), hn::Mul(factor, hn::Add(p, a)))))
        return false;
    }
  }
  return true;
}

/// Computes all x_k, one row of lanes per player, and of each game the product of all
/// (present_k + absent_k) / 2; 0 in lanes without a game.
Ratios ratios(const double* present, const double* absent, std::size_t players, std::size_t games,
              double* HWY_RESTRICT x, double* HWY_RESTRICT middle) {
  const Lanes d;
  const Vec zero = hn::Zero(d), half = hn::Set(d, 0.5);
  double sums[AbsentFactors::lanes], squares[AbsentFactors::lanes], most[AbsentFactors::lanes];
  for (std::size_t i = 0; i < AbsentFactors::lanes; i += hn::Lanes(d)) {
    Vec product = hn::Set(d, 1.0), sum = zero, square = zero, largest = zero;
    for (std::size_t k = 0; k < players; ++k) {
      const Vec p = hn::Set(d, present[k]), a = hn::LoadU(d, absent + k * AbsentFactors::lanes + i);
      const Vec by = hn::Sub(p, a), both = hn::Add(p, a);
      const Vec own = hn::IfThenZeroElse(hn::Eq(by, zero), hn::Div(by, both));
      hn::StoreU(own, d, x + k * AbsentFactors::lanes + i);
      product = hn::Mul(product, hn::Mul(half, both));
      sum = hn::Add(sum, own);
      square = hn::MulAdd(own, own, square);
      largest = hn::Max(largest, hn::Abs(own));
    }
    hn::StoreU(product, d, middle + i);
    hn::StoreU(hn::Abs(sum), d, sums + i);
    hn::StoreU(square, d, squares + i);
    hn::StoreU(largest, d, most + i);
  }
  std::fill(middle + games, middle + AbsentFactors::lanes, 0.0);
  return {*std::max_element(most, most + games), *std::max_element(sums, sums + games),
          *std::max_element(squares, squares + games)};
}

/// Adds the moments that this number of nodes from place q on contribute, and those opposite to
/// them; and goes on while there are as many before the middle.
template <std::size_t nodes>
void add_moments(const double* places, const double* weights, std::size_t half, std::size_t& q,
                 std::size_t terms, const double* x, Vec middle, std::size_t players,
                 Vec* HWY_RESTRICT moments) {
  const Lanes d;
  const Vec one = hn::Set(d, 1.0);
  for (; half - q >= nodes; q += nodes) {
    Vec s[nodes], square[nodes], product[nodes], opposite[nodes];
    for (std::size_t n = 0; n < nodes; ++n) {
      s[n] = hn::Set(d, 2 * places[q + n] - 1);
      square[n] = hn::Mul(s[n], s[n]);
      product[n] = opposite[n] = hn::Mul(middle, hn::Set(d, 2 * weights[q + n]));
    }
    for (std::size_t k = 0; k < players; k += 2) {
      const Vec first = hn::LoadU(d, x + k * AbsentFactors::lanes),
                second = hn::LoadU(d, x + (k + 1) * AbsentFactors::lanes),
                sum = hn::Add(first, second), both = hn::Mul(first, second);
      for (std::size_t n = 0; n < nodes; ++n) {
        const Vec even = hn::MulAdd(both, square[n], one);
        product[n] = hn::Mul(product[n], hn::MulAdd(sum, s[n], even));
        opposite[n] = hn::Mul(opposite[n], hn::NegMulAdd(sum, s[n], even));
      }
    }
    for (std::size_t m = 0; m < terms; ++m)
      for (std::size_t n = 0; n < nodes; ++n) {
        moments[m] = hn::Add(moments[m], hn::Add(product[n], opposite[n]));
        product[n] = hn::Mul(product[n], hn::Neg(s[n]));
        opposite[n] = hn::Mul(opposite[n], s[n]);
      }
  }
}

/// Adds shares as power series in x. With s = 2 t - 1, all factors have the product
/// F(s) = middle * prod_k (1 + x_k s), and the share of player j is x_j times the integral of
/// F(s) / (1 + x_j s) over [-1, 1]: its coefficients are the moments of F. The `count` nodes are
/// symmetric, an even number.
void add_series(const double* nodes, const double* weights, std::size_t count, std::size_t terms,
                const double* x, const double* middle, std::size_t players,
                double* HWY_RESTRICT sums) {
  const Lanes d;
  for (std::size_t i = 0; i < AbsentFactors::lanes; i += hn::Lanes(d)) {
    const Vec all = hn::LoadU(d, middle + i);
    Vec moments[most_terms];
    std::fill_n(moments, terms, hn::Zero(d));
    std::size_t q = 0;
    add_moments<6>(nodes, weights, count / 2, q, terms, x + i, all, players, moments);
    add_moments<4>(nodes, weights, count / 2, q, terms, x + i, all, players, moments);
    add_moments<2>(nodes, weights, count / 2, q, terms, x + i, all, players, moments);
    for (std::size_t k = 0; k < players; k += at_once) {
      Vec own[at_once], series[at_once];
      for (std::size_t n = 0; n < at_once; ++n) {
        own[n] = hn::LoadU(d, x + (k + n) * AbsentFactors::lanes + i);
        series[n] = moments[terms - 1];
      }
      for (std::size_t m = terms - 1; m-- > 0;)
        for (std::size_t n = 0; n < at_once; ++n)
          series[n] = hn::MulAdd(series[n], own[n], moments[m]);
      for (std::size_t n = 0; n < at_once; ++n) {
        double* const at = sums + (k + n) * AbsentFactors::lanes + i;
        hn::StoreU(hn::MulAdd(own[n], series[n], hn::LoadU(d, at)), d, at);
      }
    }
  }
}

}  // namespace semblance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance {

HWY_EXPORT(all_ratios_within);
HWY_EXPORT(ratios);
HWY_EXPORT(add_series);

namespace {

/// The largest |x_k|, so that most_terms suffice.
constexpr double largest_ratio = 0.1;

}  // namespace

/// On an ellipse, where |s| <= a and |Re s| <= a, |1 + x s|^2 = 1 + 2 x Re s + x^2 |s|^2 is at most
/// exp(2 x Re s + x^2 a^2), and the series 1 / (1 + x s) at most 2 if |x| a <= 1/2. The integral of
/// F(s) / (1 + x s) is at least 2 exp(-0.31 sum_k x_k^2) / 1.1 by Jensen's inequality, as the mean
/// of log(1 + x s) is at least -0.31 x^2.
const ProductShares::Rule* ProductShares::rule_for_series(const Ratios& ratios) const {
  double found[ellipses];
  for (std::size_t e = 0; e < ellipses; ++e) {
    const double a = ellipse_axes[e];
    found[e] = ratios.largest * a > 0.5
                   ? HUGE_VAL
                   : 2.2 / static_cast<double>(players_) *
                         std::exp(a * ratios.sum + (a * a / 2 + 0.31) * ratios.squares);
  }
  return least_rule(found);
}

/// Where all ratios are small.
bool ProductShares::add_as_series(const double* present, const AbsentFactors& absent,
                                  std::size_t block, double* sums, double* scratch) const {
  constexpr std::size_t lanes = AbsentFactors::lanes;
  if (rules_.size() == 1 ||
      !HWY_DYNAMIC_DISPATCH(all_ratios_within)(largest_ratio, present, absent.low(block),
                                               absent.high(block), absent.padded()))
    return false;
  double middle[lanes];
  const std::size_t games = std::min(lanes, absent.games() - block * lanes);
  const Ratios found = HWY_DYNAMIC_DISPATCH(ratios)(present, absent.block(block), absent.padded(),
                                                    games, scratch, middle);
  const Rule* const rule = rule_for_series(found);
  if (!rule || rule == &rules_.back()) return false;  // which may have any number of nodes
  // The terms after these are a share of at most x^terms (1 + x) / (1 - x) of the sum.
  std::size_t terms = 1;
  for (double rest = found.largest * 1.3; rest > most_error; rest *= found.largest) ++terms;
  HWY_DYNAMIC_DISPATCH(add_series)
  (rule->nodes.data(), rule->weights.data(), rule->nodes.size(), terms, scratch, middle, players_,
   sums);
  return true;
}

}  // namespace semblance
#endif
