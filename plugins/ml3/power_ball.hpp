// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::ml3 {

/// What PowerBall::compare() finds, without a root.
struct ComparedScores {
  std::size_t models = 0;   ///< of a class
  float most = 0;           ///< the largest product of all, or 0
  std::vector<float> sums;  ///< one a class: larger where the score is, except for close ones
};

/// The non-negative part of the unit ball of the p-norm, from which latent weights are taken: ML3,
/// eqs. (11) and (14) to (16). For p = 2, 3/2, 4/3, 5/4 and 6/5 powers are products.
class PowerBall {
 public:
  /// Throws Error unless 1 <= p < infinity.
  explicit PowerBall(double p);

  double p() const noexcept { return p_; }

  /// max over the ball of beta . c, which is the norm of c's positive part with the dual exponent
  /// q = p / (p - 1) (eq. 16); the largest value where p = 1; 0 where nothing is positive.
  float score(std::span<const float> c) const;

  /// The beta where that maximum is reached (eqs. 14 and 15): all zeros where nothing is positive,
  /// the first of the largest values where p = 1. Returns the score.
  float weights(std::span<const float> c, std::span<float> beta) const;

  /// At most score(c): its largest value, or 0 where none is positive.
  static float least_score(std::span<const float> c);
  /// Sums of powers that say which of a sample's classes surely score less than others.
  void compare(std::span<const float> products, std::size_t models,
               std::span<const std::uint32_t> classes, ComparedScores& compared) const;
  /// Whether the score of the i-th class compared is below `limit`; false where it is doubtful.
  bool surely_below(const ComparedScores& compared, std::size_t i, double limit) const;
  /// What a score, and a product with weights(), can be off, relative to it.
  static double score_error(std::size_t size);

  /// At least the score of all values within `error` of `c`, however it is rounded.
  double most_score(std::span<const float> c, std::span<const float> error) const;

  /// A random point on the ball's surface: exponentially distributed values over their norm.
  void draw(Random& random, std::span<float> beta) const;

 private:
  double p_;
  double q_;       // infinite where p = 1
  int power_ = 0;  // q where it is a small whole number, otherwise 0
  int below_ = 0;  // the largest whole number up to q and 6; 0 where p = 1
};

}  // namespace semblance::ml3
