// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace semblance::numerics {

/// The free variables of a dual's working set, all others fixed: the changes d with sum d = 0 that
/// lead from their values towards the minimum of 1/2 d'Kd + f'd, as far as no variable leaves its
/// bounds; one that comes to a bound stays there. A Cholesky factor of K is made once, and what
/// stays at a bound becomes a constraint of its own.
class FreeVariables {
 public:
  /// `kernel` is count x count, row by row, of which the lower triangle is read.
  FreeVariables(std::vector<double> kernel, std::size_t count);

  /// False where the kernel is not positive definite even with a small ridge.
  bool usable() const noexcept { return usable_; }

  struct Stop {
    std::size_t variable;
    bool above;  ///< at its upper bound
  };
  struct Move {
    std::vector<double> changes;
    std::vector<Stop> stops;  ///< who has come to a bound
  };
  /// `below` and `above` are how far each variable may go, 0 or more; at most `most_stops` come to
  /// a bound.
  Move minimise(std::span<const double> gradients, std::span<const double> below,
                std::span<const double> above, std::size_t most_stops);

 private:
  std::vector<double> solved(std::vector<double> right) const;
  std::vector<double> multipliers(const std::vector<double>& u) const;
  bool constrain(std::vector<double> constraint);

  std::size_t count_;
  std::vector<double> factor_;  // lower triangle
  bool usable_ = false;
  // Of the constraints c'd = 0, the first of which is the sum of all.
  std::vector<std::vector<double>> constraints_, solutions_;  // c, and K^-1 c
  std::vector<std::vector<double>> schur_;                    // rows of the factor of c'K^-1 c
};

}  // namespace semblance::numerics
