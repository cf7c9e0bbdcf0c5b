// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/dual_problem.hpp"

namespace semblance::numerics {

/// The variables of a dual problem whose gradients are updated on this rank: all of them, or some
/// in a distributed solution. A variable's index among these is its place.
class OwnVariables {
 public:
  OwnVariables(const DualProblem& problem, Context& context);

  /// Whether other ranks own other variables.
  bool spread() const noexcept { return !owners_.empty(); }

  /// The numbers of all variables and of the own ones.
  std::size_t variables() const noexcept { return spread() ? owners_.size() : list_.size(); }
  std::size_t count() const noexcept { return list_.size(); }
  std::uint32_t operator[](std::size_t place) const noexcept { return list_[place]; }
  std::span<const std::uint32_t> list() const noexcept { return list_; }  ///< in ascending order
  bool has(std::uint32_t variable) const noexcept {
    return !spread() || owners_[variable] == ranks_.rank();
  }
  std::size_t place(std::uint32_t variable) const noexcept;  ///< of an own variable

  /// Gathers `each` values per variable, in the order of `variables`; `own` has those of the own
  /// variables, in that order. All ranks name the same variables. Collective if they are spread.
  std::vector<float> of_all(std::span<const std::uint32_t> variables, std::vector<float> own,
                            std::size_t each) const;
  std::vector<double> of_all(
      std::vector<double> own) const;  ///< one per variable, own or of another rank

  /// The values of all ranks, by rank; only the own ones on a single rank. Collective if variables
  /// are spread.
  template <class T>
  std::vector<T> by_rank(std::vector<T> own) const {
    return spread() ? ranks_.gather(own) : own;
  }
  std::size_t rank() const noexcept { return spread() ? ranks_.rank() : 0; }
  std::size_t ranks() const noexcept { return spread() ? ranks_.ranks() : 1; }
  std::size_t owner(std::uint32_t variable) const noexcept {
    return spread() ? owners_[variable] : 0;
  }

 private:
  template <class T>
  std::vector<T> in_order(std::span<const std::uint32_t> variables, std::vector<T> own,
                          std::size_t each) const;

  Collectives& ranks_;
  std::span<const std::uint32_t> owners_;
  std::vector<std::uint32_t> list_;
};

}  // namespace semblance::numerics
