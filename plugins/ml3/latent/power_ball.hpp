// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::ml3 {

/// The result of PowerBall::compare(), without roots.
struct ComparedScores {
  std::size_t models = 0;   ///< of a class
  float most = 0;           ///< the largest product of all, or 0
  std::vector<float> sums;  ///< one per class, in the order of the scores except for close ones
};

/// The non-negative part of the unit ball of the p-norm, from which latent weights are taken: ML3,
/// eqs. (11) and (14) to (16). For p = 2, 3/2, 4/3, 5/4 and 6/5 powers are products.
class PowerBall {
 public:
  /// Throws Error unless 1 <= p < infinity.
  explicit PowerBall(double p);

  double p() const noexcept { return p_; }

  /// max over the ball of beta . c, which is the norm of c's positive part with the dual exponent q
  /// = p / (p - 1) (eq. 16); the largest value if p = 1; 0 if nothing is positive.
  float score(std::span<const float> c) const;

  /// The beta of that maximum (eqs. 14 and 15): all zeros if nothing is positive, the first of the
  /// largest values if p = 1. Returns the score.
  float weights(std::span<const float> c, std::span<float> beta) const;

  /// A lower bound of score(c): its largest value, or 0 if none is positive.
  static float least_score(std::span<const float> c);
  /// Sums of powers that show which classes certainly score lower than other classes, of which
  /// each has `models` products.
  void compare(std::span<const float> products, std::size_t models, ComparedScores& compared) const;
  /// The score of a class is certainly below `limit` if its sum is below this.
  double least_sum(const ComparedScores& compared, double limit) const;
  /// The largest relative error of a score and of a product with weights().
  static double score_error(std::size_t size);

  /// A random point on the ball's surface: exponentially distributed values over their norm.
  void draw(Random& random, std::span<float> beta) const;

 private:
  double p_;
  double q_;       // infinite where p = 1
  int power_ = 0;  // q if it is a small integer, otherwise 0
  int below_ = 0;  // the largest integer up to q and 6; 0 if p = 1
};

}  // namespace semblance::ml3
