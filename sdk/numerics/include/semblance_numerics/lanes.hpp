// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance_numerics/aligned_array.hpp"

namespace semblance::numerics {

/// Sequences side by side, for a dynamic programme that advances all of a group together: one
/// sequence a SIMD lane. A group is a cache line wide on every CPU (16 floats, 32 int16_t), so that
/// what is packed does not depend on the CPU; kernels with narrower vectors take a part at a time.
///
/// The sequences are sorted by length, shortest first, and equal ones keep their order. A lane's
/// answer stands at its own last column: shorter lanes run on through zeros, and nobody looks.
template <class T>
class PackedLanes {
 public:
  static constexpr std::size_t width = 64 / sizeof(T);

  struct Group {
    const T* values = nullptr;                   ///< of step j, plane p: width values at
                                                 ///< (j * planes + p) * width
    std::size_t steps = 0;                       ///< of its longest sequence
    std::size_t count = 0;                       ///< lanes in use, the first ones
    std::array<std::uint32_t, width> lengths{};  ///< in steps; of unused lanes as of the last used
    std::array<std::uint32_t, width> sequences{};  ///< which sequence a lane is
    bool equal() const noexcept { return lengths[0] == lengths[width - 1]; }
  };

  PackedLanes() = default;

  /// Room for sequences of these lengths (in steps, at least 1) with `planes` values a step, zeros
  /// to begin with.
  PackedLanes(std::span<const std::uint32_t> lengths, std::size_t planes);

  /// Sets the values of a sequence: `planes` of a step side by side, step after step.
  void set(std::size_t sequence, const T* values) noexcept;

  std::size_t planes() const noexcept { return planes_; }
  const std::vector<Group>& groups() const noexcept { return groups_; }

 private:
  std::size_t planes_ = 0;
  AlignedArray<T> values_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> places_;  // of a sequence: group * width + lane
};

extern template class PackedLanes<float>;
extern template class PackedLanes<std::int16_t>;
extern template class PackedLanes<std::int32_t>;

}  // namespace semblance::numerics
