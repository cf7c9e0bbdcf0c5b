// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "own_variables.hpp"

namespace semblance::numerics {

/// The active variables of a dual: shrinking (Joachims 1998, section 4; Fan, Chen, Lin 2005,
/// section 5). Clearly satisfied variables at a bound are omitted for a while, and their gradients
/// are not updated. As rows of the kernel matrix are shared and keep their order, picking columns
/// costs nearly as much as updating all. So variables are omitted only if at most one in
/// `keep_one_in` stays, and at most `most_times` before all return. The decisions depend on the
/// variables of all ranks.
class ActiveVariables {
 public:
  static constexpr std::size_t keep_one_in = 8;
  static constexpr std::size_t most_times = 2;

  /// Own variables omitted at the same time, by place and in ascending order, with the values of
  /// all variables and the gradients of the own ones at that time.
  struct Left {
    std::vector<std::uint32_t> places;
    std::vector<double> values, gradients;
  };

  explicit ActiveVariables(const OwnVariables& own);

  bool complete() const noexcept { return left_.empty(); }
  /// The places of the active variables, in ascending order.
  std::span<const std::uint32_t> list() const noexcept { return list_; }

  /// Omits the `satisfied` variables, by place, if there are enough; returns whether it did.
  /// Collective if variables are spread.
  bool shrink(const std::function<bool(std::uint32_t)>& satisfied, std::span<const double> values,
              std::span<const double> gradients);
  /// The variables omitted first, when all gradients were up to date; not if complete().
  const Left& first_left() const { return left_.front(); }

  /// The omitted variables of all ranks. Collective if variables are spread.
  std::vector<DualCourse::Left> left() const;
  /// Restores omissions while all are active. Returns false and does nothing if these are not
  /// variables or one occurs twice.
  bool leave(const std::vector<DualCourse::Left>& left);

  /// Activates all variables. Returns the omitted ones, whose gradients must be updated.
  std::vector<Left> restore();

  /// The largest number of bytes that this needs.
  static std::size_t bytes(std::size_t variables) noexcept;

 private:
  const OwnVariables& own_;
  std::vector<std::uint32_t> list_;
  std::vector<Left> left_;
};

}  // namespace semblance::numerics
