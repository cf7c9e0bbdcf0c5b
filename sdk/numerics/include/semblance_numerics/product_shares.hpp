// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace semblance::numerics {

/// Exact Shapley values of games whose value is a product over players: v(S) is the product of
/// present[k] over the players k in S and of absent[k] over all others. Since the integral of
/// t^s (1 - t)^(d-1-s) over [0, 1] is s! (d-1-s)! / d!, the value of player j is
///
///     (present_j - absent_j) * integral of prod_(k != j) (t present_k + (1 - t) absent_k) dt,
///
/// a polynomial of degree d - 1, which the Gauss-Legendre rule with (d + 1) / 2 nodes integrates
/// exactly. Nothing cancels where all factors are of one sign. O(d^2) for all players.
class ProductShares {
 public:
  explicit ProductShares(std::size_t players);

  std::size_t players() const noexcept { return players_; }
  /// The room that add() needs, in values.
  std::size_t scratch() const noexcept { return (players_ + 2) * nodes_.size(); }
  /// shares[j] += weight * value of player j. Thread-safe.
  void add(const double* present, const double* absent, double weight, double* shares,
           double* scratch) const;

 private:
  std::size_t players_;
  std::vector<double> nodes_, weights_;  ///< of the rule, padded with weights of 0
};

}  // namespace semblance::numerics
