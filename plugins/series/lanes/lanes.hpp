// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance_numerics/aligned_array.hpp"

namespace semblance::series {

/// Interleaved sequences for dynamic programmes that advance a whole group together, with one
/// sequence per SIMD lane. A group is a cache line wide on every CPU (16 floats, 32 int16_t), so
/// that packed data do not depend on the CPU; kernels with narrower vectors take a part at a time.
///
/// The sequences are sorted by length, shortest first, with ties in their original order. A lane's
/// result is in its own last column; shorter lanes continue through zeros, which are ignored.
template <class T>
class PackedLanes {
 public:
  static constexpr std::size_t width = 64 / sizeof(T);

  struct Group {
    const T* values = nullptr;                     ///< of step j, plane p: width values at
                                                   ///< (j * planes + p) * width
    std::size_t steps = 0;                         ///< of its longest sequence
    std::size_t count = 0;                         ///< lanes in use, the first ones
    std::array<std::uint32_t, width> lengths{};    ///< in steps; unused lanes have that of the last
                                                   ///< used
    std::array<std::uint32_t, width> sequences{};  ///< the sequence in each lane
    bool equal() const noexcept { return lengths[0] == lengths[width - 1]; }
  };

  PackedLanes() = default;

  /// Allocates sequences of these lengths (in steps, at least 1) with `planes` values per step, all
  /// zero.
  PackedLanes(std::span<const std::uint32_t> lengths, std::size_t planes);

  /// Sets the values of a sequence: the `planes` values of a step are adjacent, step after step.
  void set(std::size_t sequence, const T* values) noexcept;

  std::size_t planes() const noexcept { return planes_; }
  const std::vector<Group>& groups() const noexcept { return groups_; }

 private:
  std::size_t planes_ = 0;
  numerics::AlignedArray<T> values_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> places_;  // of a sequence: group * width + lane
};

extern template class PackedLanes<float>;
extern template class PackedLanes<std::int16_t>;
extern template class PackedLanes<std::int32_t>;

}  // namespace semblance::series
