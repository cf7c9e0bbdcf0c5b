// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics {

/// The variables of a dual problem whose gradients are updated on this rank: all of them, or some
/// in a distributed solution.
class LocalVariables {
 public:
  LocalVariables(const DualProblem& problem, Context& context);

  /// Whether other ranks have variables of their own.
  bool distributed() const noexcept { return !owners_.empty(); }

  /// The numbers of all variables and of the local ones.
  std::size_t variables() const noexcept { return distributed() ? owners_.size() : list_.size(); }
  std::size_t count() const noexcept { return list_.size(); }
  std::uint32_t operator[](std::size_t index) const noexcept { return list_[index]; }
  std::span<const std::uint32_t> list() const noexcept { return list_; }  ///< in ascending order
  bool has(std::uint32_t variable) const noexcept {
    return !distributed() || owners_[variable] == ranks_.rank();
  }
  /// The index of a local variable among the local ones.
  std::size_t local_index(std::uint32_t variable) const noexcept;

  /// Gathers `each` values per variable, in the order of `variables`; `local` has those of the
  /// local variables, in that order. All ranks name the same variables. Collective if they are
  /// distributed.
  std::vector<float> gather_all(std::span<const std::uint32_t> variables, std::vector<float> local,
                                std::size_t each) const;
  /// The same with one value for each variable of the problem.
  std::vector<double> gather_all(std::vector<double> local) const;

  /// The values of all ranks, by rank; only the local ones on a single rank. Collective if
  /// variables are distributed.
  template <class T>
  std::vector<T> by_rank(std::vector<T> local) const {
    return distributed() ? ranks_.gather(local) : local;
  }
  std::size_t rank() const noexcept { return distributed() ? ranks_.rank() : 0; }
  std::size_t ranks() const noexcept { return distributed() ? ranks_.ranks() : 1; }
  std::size_t owner(std::uint32_t variable) const noexcept {
    return distributed() ? owners_[variable] : 0;
  }

 private:
  template <class T>
  std::vector<T> in_order(std::span<const std::uint32_t> variables, std::vector<T> local,
                          std::size_t each) const;

  Collectives& ranks_;
  std::span<const std::uint32_t> owners_;
  std::vector<std::uint32_t> list_;
};

inline double lower(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? 0 : -p.costs[i];
}
inline double upper(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? p.costs[i] : 0;
}

/// p_i: minus the gradient of variable i at zero.
inline double linear_term(const DualProblem& p, std::size_t i) {
  return p.linear.empty() ? p.labels[i] : p.linear[i];
}

/// Computes all figures of a solution except its violation and `sensitivity` from its coefficients
/// and gradients. `gap` and `scaled`: see DualSolution::primal.
void evaluate(const DualProblem& problem, std::span<const double> gradients, double gap,
              bool scaled, DualSolution& solution);

/// DualSolution::sensitivity, for errors up to `reach`.
double sensitivity(const DualProblem& problem, std::span<const double> gradients,
                   const DualSolution& solution, double reach);

/// A point of the dual, and the gradient there.
struct DualPoint {
  const DualProblem& problem;
  const LocalVariables& local;
  std::vector<double> values;     ///< of all variables
  std::vector<double> gradients;  ///< of the local variables

  /// Starts at DualProblem::start, but with the gradients at zero.
  DualPoint(const DualProblem& problem, const LocalVariables& local);

  double lower(std::size_t i) const { return numerics::lower(problem, i); }
  double upper(std::size_t i) const { return numerics::upper(problem, i); }
  bool may_increase(std::size_t i) const { return values[i] < upper(i); }
  bool may_decrease(std::size_t i) const { return values[i] > lower(i); }
  /// The gradient of variable i at zero.
  double first_gradient(std::size_t i) const { return -linear_term(problem, i); }
  /// For mirrored ranges: sets the gradients of the second by those of the first.
  void mirror_gradients();

  /// 1/2 b'Kb - p'b, if all variables are local ones.
  double objective() const;

  /// The possible error of gradients: each is a sum of |b| times kernel values in double.
  double rounding(double largest_value) const;
};

}  // namespace semblance::numerics
