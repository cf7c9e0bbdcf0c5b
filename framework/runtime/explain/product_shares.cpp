// SPDX-License-Identifier: MIT
#include "runtime/explain/product_shares.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/explain/gauss_legendre.hpp"
#include "semblance_numerics/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/explain/product_shares.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, AbsentFactors::lanes>;
using Vec = hn::Vec<Lanes>;

constexpr std::size_t most_ellipses = 8;

/// Nodes whose products are in registers at a time.
constexpr std::size_t at_once = 4;

/// The factors of a pair of players in as many games as a vector has lanes.
struct Pair {
  Pair(const double* present, const double* absent)
      : first_from(hn::LoadU(Lanes(), absent)),
        second_from(hn::LoadU(Lanes(), absent + AbsentFactors::lanes)),
        first_by(hn::Sub(hn::Set(Lanes(), present[0]), first_from)),
        second_by(hn::Sub(hn::Set(Lanes(), present[1]), second_from)) {}

  Vec first_from, second_from, first_by, second_by;
};

/// Adds to `sums`, one row of lanes per player, the shares that some nodes contribute. A share
/// needs the product of all other factors: that of the pairs before, which is stored on the way
/// up, times that of the pairs after, times the other factor of its own pair. The latter is linear
/// in the node, so that both shares of a pair follow from two sums over nodes.
void add_nodes(const double* nodes, const double* weights, Vec mask, const double* present,
               const double* absent, std::size_t pairs, double* HWY_RESTRICT sums,
               double* HWY_RESTRICT scratch) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d), step = 2 * at_once * lanes;
  constexpr std::size_t two = 2 * AbsentFactors::lanes;
  Vec t[at_once], product[at_once];
  for (std::size_t n = 0; n < at_once; ++n) {
    t[n] = hn::Set(d, nodes[n]);
    product[n] = hn::Mul(mask, hn::Set(d, weights[n]));
  }
  for (std::size_t j = 0; j < pairs; ++j) {
    const Pair pair(present + 2 * j, absent + j * two);
    double* const at = scratch + j * step;
    for (std::size_t n = 0; n < at_once; ++n) {
      const Vec both = hn::Mul(hn::MulAdd(pair.first_by, t[n], pair.first_from),
                               hn::MulAdd(pair.second_by, t[n], pair.second_from));
      hn::StoreU(product[n], d, at + 2 * n * lanes);
      hn::StoreU(both, d, at + (2 * n + 1) * lanes);
      product[n] = hn::Mul(product[n], both);
    }
  }
  for (std::size_t n = 0; n < at_once; ++n) product[n] = hn::Set(d, 1.0);
  for (std::size_t j = pairs; j-- > 0;) {
    const Pair pair(present + 2 * j, absent + j * two);
    const double* const at = scratch + j * step;
    Vec sum = hn::Zero(d), moment = hn::Zero(d);
    for (std::size_t n = 0; n < at_once; ++n) {
      const Vec others = hn::Mul(hn::LoadU(d, at + 2 * n * lanes), product[n]);
      sum = hn::Add(sum, others);
      moment = hn::MulAdd(t[n], others, moment);
      product[n] = hn::Mul(product[n], hn::LoadU(d, at + (2 * n + 1) * lanes));
    }
    double* const own = sums + j * two;
    const Vec with_second = hn::MulAdd(pair.second_by, moment, hn::Mul(pair.second_from, sum));
    const Vec with_first = hn::MulAdd(pair.first_by, moment, hn::Mul(pair.first_from, sum));
    hn::StoreU(hn::MulAdd(pair.first_by, with_second, hn::LoadU(d, own)), d, own);
    double* const other = own + AbsentFactors::lanes;
    hn::StoreU(hn::MulAdd(pair.second_by, with_first, hn::LoadU(d, other)), d, other);
  }
}

/// Adds the shares of a block of games to `sums`.
void add_block(const double* nodes, const double* weights, std::size_t count, std::size_t games,
               const double* present, const double* absent, std::size_t pairs, double* sums,
               double* scratch) {
  const Lanes d;
  // Lanes without a game have a weight of 0.
  for (std::size_t i = 0; i < games; i += hn::Lanes(d)) {
    double own[AbsentFactors::lanes] = {};
    std::fill_n(own, std::min(games - i, AbsentFactors::lanes), 1.0);
    const Vec mask = hn::LoadU(d, own);
    for (std::size_t q = 0; q < count; q += at_once)
      add_nodes(nodes + q, weights + q, mask, present, absent + i, pairs, sums + i, scratch);
  }
}

/// How large prod_k |1 + x_k s| may be for the s of each ellipse about [-1, 1] with a semi-axis of
/// `axes`, where x_k = (present_k - absent_k) / (present_k + absent_k) for the games of a block:
/// a bound of it, or infinity if a factor is negative.
void magnitudes(const double* present, const double* low, const double* high, std::size_t players,
                const double* axes, std::size_t count, double* products) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  const Vec zero = hn::Zero(d), one = hn::Set(d, 1.0);
  std::fill_n(products, count, 1.0);
  for (std::size_t i = 0; i < AbsentFactors::lanes; i += lanes) {
    Vec own[most_ellipses];
    for (std::size_t e = 0; e < count; ++e) own[e] = one;
    for (std::size_t k = i; k < players; k += AbsentFactors::lanes) {
      const Vec p = hn::LoadU(d, present + k), a = hn::LoadU(d, low + k),
                b = hn::LoadU(d, high + k);
      const Vec from_a = hn::Abs(hn::Sub(p, a)), from_b = hn::Abs(hn::Sub(p, b));
      const Vec with_a = hn::Add(p, a), with_b = hn::Add(p, b);
      // |x| grows with the distance of the factors, on either side of p.
      const auto farther = hn::Gt(hn::Mul(from_a, with_b), hn::Mul(from_b, with_a));
      const Vec distance = hn::IfThenElse(farther, from_a, from_b);
      Vec x = hn::Div(distance, hn::IfThenElse(farther, with_a, with_b));
      x = hn::IfThenElse(hn::Eq(distance, zero), zero, x);
      x = hn::IfThenElse(hn::Lt(hn::Min(p, a), zero), hn::Inf(d), x);
      for (std::size_t e = 0; e < count; ++e)
        own[e] = hn::Mul(own[e], hn::MulAdd(x, hn::Set(d, axes[e]), one));
    }
    for (std::size_t e = 0; e < count; ++e) {
      double parts[AbsentFactors::lanes];
      hn::StoreU(own[e], d, parts);
      for (std::size_t l = 0; l < lanes; ++l) products[e] *= parts[l];
    }
  }
}

}  // namespace semblance::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance {

HWY_EXPORT(add_block);
HWY_EXPORT(magnitudes);

namespace {

/// Sums of semi-axes of the ellipses.
constexpr double ellipse_sums[] = {2.5, 5, 10, 20, 50};

/// How large an integrand may be on an ellipse about [-1, 1] for n nodes to suffice, if it is a
/// product of `players` - 1 factors 1 + x_k s with |x_k| <= 1. The rule's error is at most 64 / 15
/// of that magnitude, times sum^(-2n) / (1 - sum^-2) (Trefethen, Approximation Theory and
/// Approximation Practice, theorem 19.3); the integral is at least 2 / players, as every factor is
/// at least 1 - |s|.
double most_magnitude(std::size_t n, std::size_t players, double sum) {
  return ProductShares::most_error * 2 / static_cast<double>(players) * 15 / 64 *
         std::pow(sum, 2 * static_cast<double>(n)) * (1 - 1 / (sum * sum));
}

}  // namespace

AbsentFactors::AbsentFactors(std::size_t players, std::size_t games)
    : players_(players),
      games_(games),
      values_(blocks() * padded() * lanes, 1.0),
      low_(blocks() * padded(), 1.0),
      high_(blocks() * padded(), 1.0) {}

void AbsentFactors::set(std::span<const double> factors) {
  for (std::size_t b = 0; b < blocks(); ++b) {
    const std::size_t first = b * lanes, count = std::min(lanes, games_ - first);
    for (std::size_t k = 0; k < players_; ++k) {
      double* const row = values_.data() + (b * padded() + k) * lanes;
      for (std::size_t g = 0; g < count; ++g) row[g] = factors[(first + g) * players_ + k];
      const auto [low, high] = std::minmax_element(row, row + count);
      low_[b * padded() + k] = *low;
      high_[b * padded() + k] = *high;
    }
  }
}

ProductShares::ProductShares(std::size_t players) : players_(players) {
  const std::size_t exact = (players + 1) / 2;
  // 4, 8, 12, 16, 24, 32, 48, 64 nodes and so on.
  for (std::size_t n = 4, by = 4;; n += by) {
    const bool last = n >= exact;
    QuadratureRule rule = gauss_legendre(last ? std::max<std::size_t>(exact, 1) : n);
    Rule& made = rules_.emplace_back(std::move(rule.nodes), std::move(rule.weights));
    for (std::size_t e = 0; e < ellipses; ++e)
      made.most[e] = most_magnitude(made.nodes.size(), players, ellipse_sums[e]);
    made.nodes.resize((made.nodes.size() + 3) / 4 * 4);
    made.weights.resize(made.nodes.size());
    if (last) break;
    if (n >= 16 && (n & (n - 1)) == 0) by = n / 2;
  }
}

std::size_t ProductShares::scratch() const noexcept {
  const std::size_t padded = AbsentFactors(players_, 0).padded();
  // Present factors, sums in lanes, and two values in lanes per pair of players and node.
  return padded * (1 + AbsentFactors::lanes + AbsentFactors::lanes * 4);
}

const ProductShares::Rule& ProductShares::rule_for(const double* present,
                                                   const AbsentFactors& absent,
                                                   std::size_t block) const {
  if (rules_.size() == 1) return rules_.front();
  double found[ellipses];
  HWY_DYNAMIC_DISPATCH(magnitudes)
  (present, absent.low(block), absent.high(block), absent.padded(), ellipse_axes, ellipses, found);
  const Rule* const least = least_rule(found);
  return least ? *least : rules_.back();
}

const ProductShares::Rule* ProductShares::least_rule(const double* magnitudes) const {
  for (const Rule& rule : rules_)
    for (std::size_t e = 0; e < ellipses; ++e)
      if (magnitudes[e] <= rule.most[e]) return &rule;
  return nullptr;
}

void ProductShares::add(const double* present, const AbsentFactors& absent, double weight,
                        double* shares, double* scratch) const {
  const std::size_t padded = absent.padded(), pairs = (players_ + 1) / 2;
  constexpr std::size_t lanes = AbsentFactors::lanes;
  double* const factors = scratch;
  double* const sums = factors + padded;
  std::fill(std::copy_n(present, players_, factors), sums, 1.0);
  std::fill_n(sums, padded * lanes, 0.0);
  for (std::size_t b = 0; b < absent.blocks(); ++b) {
    if (add_as_series(factors, absent, b, sums, sums + padded * lanes)) continue;
    const Rule& rule = rule_for(factors, absent, b);
    HWY_DYNAMIC_DISPATCH(add_block)
    (rule.nodes.data(), rule.weights.data(), rule.nodes.size(),
     std::min(lanes, absent.games() - b * lanes), factors, absent.block(b), pairs, sums,
     sums + padded * lanes);
  }
  for (std::size_t k = 0; k < players_; ++k) {
    const double* const s = sums + k * lanes;
    shares[k] += weight * (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
  }
}

}  // namespace semblance
#endif
