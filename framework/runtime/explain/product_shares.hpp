// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace semblance {

/// The factors that absent players have in several games.
class AbsentFactors {
 public:
  /// Games are computed in blocks of this many.
  static constexpr std::size_t lanes = 8;

  AbsentFactors(std::size_t players, std::size_t games);

  std::size_t players() const noexcept { return players_; }
  std::size_t games() const noexcept { return games_; }
  std::size_t blocks() const noexcept { return (games_ + lanes - 1) / lanes; }
  /// Players and those who are added to fill the lanes, whose factors are 1.
  std::size_t padded() const noexcept { return (players_ + lanes - 1) / lanes * lanes; }
  /// Replaces the factors of all games, one row of players per game.
  void set(std::span<const double> factors);

  /// A block, one row of `lanes` games per player.
  const double* block(std::size_t b) const noexcept {
    return values_.data() + b * padded() * lanes;
  }
  /// The least and the largest factor of each player in a block.
  const double* low(std::size_t b) const noexcept { return low_.data() + b * padded(); }
  const double* high(std::size_t b) const noexcept { return high_.data() + b * padded(); }

 private:
  std::size_t players_, games_;
  std::vector<double> values_, low_, high_;
};

/// The largest |x_k|, |sum_k x_k| and sum_k x_k^2 of some games, where x_k is
/// (present_k - absent_k) / (present_k + absent_k).
struct Ratios {
  double largest, sum, squares;
};

/// Exact Shapley values of games whose value is a product over players: v(S) is the product of
/// present[k] over the players k in S and of absent[k] over all others. Since the integral of
/// t^s (1 - t)^(d-1-s) over [0, 1] is s! (d-1-s)! / d!, the value of player j is
///
///     (present_j - absent_j) * integral of prod_(k != j) (t present_k + (1 - t) absent_k) dt,
///
/// a polynomial of degree d - 1, which the Gauss-Legendre rule with (d + 1) / 2 nodes integrates
/// exactly: O(d^2) for all players. Fewer nodes are taken where an error bound shows that they
/// integrate it up to 1e-13 of its value. Their number grows with the sum of
/// |present - absent| / (present + absent) rather than with d. Where all of these ratios are small,
/// the values are power series in them.
class ProductShares {
 public:
  /// The error of the integral, as a share of it.
  static constexpr double most_error = 1e-13;

  explicit ProductShares(std::size_t players);

  std::size_t players() const noexcept { return players_; }
  /// The room that add() needs, in values.
  std::size_t scratch() const noexcept;
  /// shares[j] += weight * the sum of player j's values in all games. Thread-safe.
  void add(const double* present, const AbsentFactors& absent, double weight, double* shares,
           double* scratch) const;

 private:
  static constexpr std::size_t ellipses = 5;
  /// Semi-axes of ellipses with foci in -1 and 1, along these.
  static constexpr double ellipse_axes[ellipses] = {1.45, 2.6, 5.05, 10.025, 25.01};

  /// A rule whose nodes are padded with weights of 0.
  struct Rule {
    std::vector<double> nodes, weights;
    /// How large the integrand may be on each ellipse for the rule to suffice.
    std::array<double, ellipses> most = {};
  };

  const Rule& rule_for(const double* present, const AbsentFactors& absent, std::size_t block) const;
  const Rule* rule_for_series(const Ratios& ratios) const;
  /// The rule with the fewest nodes that suffices for an integrand this large on each ellipse.
  const Rule* least_rule(const double* magnitudes) const;
  bool add_as_series(const double* present, const AbsentFactors& absent, std::size_t block,
                     double* sums, double* scratch) const;

  std::size_t players_;
  std::vector<Rule> rules_;  ///< the number of nodes increases; the last one is exact
};

}  // namespace semblance
