// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace semblance::numerics {

/// The free variables of a dual's working set, all others fixed. Computes changes d with sum d = 0
/// towards the minimum of 1/2 d'Kd + f'd, within the variables' bounds; a variable that reaches a
/// bound stays there. K is factorised once, and each variable at a bound becomes a constraint.
class FreeVariables {
 public:
  /// `kernel` is count x count, row-major; only the lower triangle is read.
  FreeVariables(std::vector<double> kernel, std::size_t count);

  /// False if the kernel is not positive definite even with a small ridge.
  bool usable() const noexcept { return usable_; }

  struct Stop {
    std::size_t variable;
    bool above;  ///< at its upper bound
  };
  struct Move {
    std::vector<double> changes;
    std::vector<Stop> stops;  ///< variables that have reached a bound
  };
  /// `below` and `above` limit the change of each variable, 0 or more; at most `most_stops`
  /// variables reach a bound.
  Move minimise(std::span<const double> gradients, std::span<const double> below,
                std::span<const double> above, std::size_t most_stops);

 private:
  std::vector<double> solved(std::vector<double> right) const;
  std::vector<double> multipliers(const std::vector<double>& u) const;
  bool constrain(std::vector<double> constraint);

  std::size_t count_;
  std::vector<double> factor_;  // lower triangle
  bool usable_ = false;
  // For the constraints c'd = 0; the first is the sum of all variables.
  std::vector<std::vector<double>> constraints_, solutions_;  // c, and K^-1 c
  std::vector<std::vector<double>> schur_;                    // rows of the factor of c'K^-1 c
};

}  // namespace semblance::numerics
