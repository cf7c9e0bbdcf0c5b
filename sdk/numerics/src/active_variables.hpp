// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "own_variables.hpp"

namespace semblance::numerics {

/// Which variables of a dual still take part: shrinking (Joachims 1998, section 4; Fan, Chen, Lin
/// 2005, section 5). Those at a bound that are satisfied by far are left out for a while, and their
/// gradients stay behind. As rows of the kernel matrix are shared and keep their order, picking
/// columns of them costs nearly as much as following all: variables are left out only where at most
/// one of `keep_one_in` stays, and at most `most_times` until all come back. All of this is decided
/// by the variables of all ranks.
class ActiveVariables {
 public:
  static constexpr std::size_t keep_one_in = 8;
  static constexpr std::size_t most_times = 2;

  /// Own variables that were left out together, by place and in ascending order; the values of all
  /// variables and the gradients of the own ones at that time.
  struct Left {
    std::vector<std::uint32_t> places;
    std::vector<double> values, gradients;
  };

  explicit ActiveVariables(const OwnVariables& own);

  bool complete() const noexcept { return left_.empty(); }
  /// The places of those that take part, in ascending order.
  std::span<const std::uint32_t> list() const noexcept { return list_; }

  /// Leaves out what is `satisfied`, by place, if those are many enough; returns whether it did.
  /// Collective where variables are spread.
  bool shrink(const std::function<bool(std::uint32_t)>& satisfied, std::span<const double> values,
              std::span<const double> gradients);
  /// The first that were left out, when the gradients of all were up to date; not if complete().
  const Left& first_left() const { return left_.front(); }

  /// What was left out, of all ranks. Collective where variables are spread.
  std::vector<DualCourse::Left> left() const;
  /// Leaves out again who had been, when all take part. Returns false, and does nothing, where
  /// these are not variables, or not each once.
  bool leave(const std::vector<DualCourse::Left>& left);

  /// All take part again; who had been left out, to bring their gradients up to date.
  std::vector<Left> restore();

  /// Bytes that this takes at most.
  static std::size_t bytes(std::size_t variables) noexcept;

 private:
  const OwnVariables& own_;
  std::vector<std::uint32_t> list_;
  std::vector<Left> left_;
};

}  // namespace semblance::numerics
