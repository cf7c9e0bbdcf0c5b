// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "active_variables.hpp"
#include "own_variables.hpp"
#include "variable_rows.hpp"
#include "working_set.hpp"

namespace semblance::numerics {

/// The variables of a working set, each in a slot, with their kernel rows: either all rows are
/// held, or those of the first DualOptions::held_rows slots, with other rows fetched again when
/// needed, or none if the kernel is direct.
class Members {
 public:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  Members(const DualProblem& problem, const OwnVariables& own, const DualOptions& options,
          Context& context);

  std::size_t slots() const noexcept { return members_.size(); }
  std::uint32_t variable(std::size_t slot) const noexcept { return members_[slot].variable; }
  std::size_t since(std::size_t slot) const noexcept { return members_[slot].since; }
  bool has(std::uint32_t variable) const noexcept { return inside_[variable]; }
  WorkingSet& set() noexcept { return set_; }

  /// The largest diagonal kernel value of all members so far. No kernel value between members is
  /// larger if the kernel is positive semi-definite.
  double largest_value() const noexcept { return largest_value_; }

  /// variables[k] takes slots[k], replacing any previous member, in round `round`: its kernel
  /// values enter the set. Collective if variables are spread, like readmit() and follow().
  void admit(std::span<const std::size_t> slots, std::span<const std::uint32_t> variables,
             std::size_t round);

  /// Restores an empty working set from the variable of each slot (-1: empty) and the round in
  /// which it entered. A kernel value of two members is taken from the row of the later one, so
  /// they enter in the order of the rounds.
  void readmit(std::span<const std::int64_t> variables, std::span<const std::int64_t> since);
  /// Restores largest_value().
  void expect(double largest_value) noexcept { largest_value_ = largest_value; }

  /// gradients[j] += sum_k changes[k] K(member of slots[k], j), for all active own variables j,
  /// over the members in their order. If a stop request throws Cancelled, gradients are unchanged.
  void follow(std::span<const std::size_t> slots, std::span<const double> changes,
              const ActiveVariables& active, std::vector<double>& gradients);

 private:
  struct Member {
    std::uint32_t variable = nobody;
    std::size_t since = 0;  // the round it joined
    bool held = false;
    VariableRows::Row row;  // if it is held
  };

  bool holds_all() const { return !options_.held_rows; }
  template <class Body>
  void for_rows(std::span<const std::size_t> slots, const Body& body);
  void read(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void read_own(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void keep(std::size_t slot, const VariableRows::Row& row);
  void compute(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void follow_rows(std::span<const std::size_t> slots, std::span<const double> changes,
                   const ActiveVariables& active, std::vector<double>& gradients);

  const DualProblem& p_;
  const OwnVariables& own_;
  const DualOptions& options_;
  Context& context_;
  VariableRows rows_;
  std::vector<char> inside_;  // of all variables
  std::vector<Member> members_;
  FloatMatrix held_;  // rows of the first slots, if the cache does not hold all
  double largest_value_ = 0;
  WorkingSet set_;
};

}  // namespace semblance::numerics
