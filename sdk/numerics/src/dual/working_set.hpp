// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dual_variables.hpp"
#include "kernel_rows.hpp"
#include "subproblem.hpp"

namespace semblance::numerics {

/// The variables of a working set, each in a slot, with their kernel rows: either all rows are
/// held, or those of the first DualOptions::held_rows slots, with other rows fetched again when
/// needed, or none if the kernel is direct. If none is held and the source computes values between
/// few variables, rows are computed only where they are summed.
class WorkingSet {
 public:
  static constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();

  WorkingSet(const DualProblem& problem, const DualOptions& options, Context& context);

  std::size_t slots() const noexcept { return members_.size(); }
  std::uint32_t variable(std::size_t slot) const noexcept { return members_[slot].variable; }
  /// The round in which the variable in the slot entered.
  std::size_t since(std::size_t slot) const noexcept { return members_[slot].since; }
  bool has(std::uint32_t variable) const noexcept { return inside_[variable]; }
  Subproblem& subproblem() noexcept { return subproblem_; }

  /// The largest diagonal kernel value of all variables that have entered. No kernel value is
  /// larger if the kernel is positive semi-definite.
  double largest_value() const noexcept { return largest_value_; }

  /// variables[k] takes slots[k], replacing its previous variable, in round `round`: its kernel
  /// values enter the set.
  void enter(std::span<const std::size_t> slots, std::span<const std::uint32_t> variables,
             std::size_t round);

  /// Fills an empty working set with the variable of each slot (-1: empty), in round 0.
  void restore(std::span<const std::int64_t> variables);
  /// Restores largest_value().
  void set_largest_value(double largest_value) noexcept { largest_value_ = largest_value; }

  /// gradients[j] += sum_k changes[k] K(variable(slots[k]), j), for all variables j,
  /// in the order of the slots. `free`: whether each is between its bounds now, and so likely to
  /// move again. If a stop request throws Cancelled, gradients are unchanged.
  void update_gradients(std::span<const std::size_t> slots, std::span<const double> changes,
                        std::span<const char> free, std::vector<double>& gradients);

 private:
  struct Member {
    std::uint32_t variable = empty;
    std::size_t since = 0;  // the round it joined
    bool held = false;
    KernelRows::Row row;  // if it is held
  };

  bool holds_all() const { return !options_.held_rows; }
  template <class Body>
  void for_rows(std::span<const std::size_t> slots, const Body& body);
  void read(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void hold(std::size_t slot, const KernelRows::Row& row);
  void compute(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void compute_some(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void mirror(std::span<const std::size_t> slots, std::span<const std::size_t> present);
  void add_computed_changes(std::span<const std::size_t> slots, std::span<const double> changes,
                            std::span<const char> free, std::vector<double>& gradients);
  void add_changes(std::span<const std::size_t> slots, std::span<const double> changes,
                   std::vector<double>& gradients);

  const DualProblem& p_;
  const DualOptions& options_;
  Context& context_;
  KernelRows rows_;
  std::vector<char> inside_;  // of all variables
  std::vector<Member> members_;
  FloatMatrix held_;  // rows of the first slots, if the cache does not hold all
  double largest_value_ = 0;
  Subproblem subproblem_;
};

}  // namespace semblance::numerics
