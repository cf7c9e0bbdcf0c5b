// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace semblance::numerics {

/// The active variables of a dual: shrinking (Joachims 1998, section 4; Fan, Chen, Lin 2005,
/// section 5). Clearly satisfied variables at a bound are removed for a while, and their gradients
/// are not updated. As rows of the kernel matrix are shared and keep their order, picking columns
/// costs nearly as much as updating all. So variables are removed only if at most one in
/// `keep_one_in` stays, and at most `most_times` before all return.
class ActiveSet {
 public:
  static constexpr std::size_t keep_one_in = 8;
  static constexpr std::size_t most_times = 2;

  /// Variables removed at the same time, in ascending order, with the values and gradients of all
  /// variables at that time.
  struct Shrunk {
    std::vector<std::uint32_t> variables;
    std::vector<double> values, gradients;
  };

  explicit ActiveSet(std::size_t variables);

  bool complete() const noexcept { return shrunk_.empty(); }
  /// The active variables, in ascending order.
  std::span<const std::uint32_t> list() const noexcept { return list_; }

  /// Removes the `satisfied` variables if there are enough; returns whether it did.
  bool shrink(const std::function<bool(std::uint32_t)>& satisfied, std::span<const double> values,
              std::span<const double> gradients);
  /// The variables removed first, when all gradients were up to date; not if complete().
  const Shrunk& first_shrunk() const { return shrunk_.front(); }

  /// Activates all variables. Returns the removed ones, whose gradients must be updated.
  std::vector<Shrunk> unshrink();

  /// The largest number of bytes that this needs.
  static std::size_t bytes(std::size_t variables) noexcept;

 private:
  std::vector<std::uint32_t> list_;
  std::vector<Shrunk> shrunk_;
};

}  // namespace semblance::numerics
