// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "semblance/error.hpp"

namespace semblance::numerics {

/// The distance between vectors is a multiple of this number of values: whole SIMD vectors.
inline constexpr std::size_t vector_padding = 16;

inline constexpr std::size_t padded(std::size_t cols) noexcept {
  return (cols + vector_padding - 1) / vector_padding * vector_padding;
}

/// `count` vectors of `cols` values, one per row, padded and aligned for SIMD; initially zero.
/// Throws Error if there is not enough memory.
template <class T>
class Vectors {
 public:
  Vectors() = default;
  Vectors(std::size_t count, std::size_t cols)
      : count_(count),
        cols_(cols),
        stride_(padded(cols)),
        values_(hwy::AllocateAligned<T>(std::max<std::size_t>(count * stride_, 1))) {
    if (!values_)
      throw Error("not enough memory for " + std::to_string(count * stride_) + " values");
    fill(0);
  }
  std::size_t count() const noexcept { return count_; }
  std::size_t cols() const noexcept { return cols_; }
  std::size_t stride() const noexcept { return stride_; }
  T* row(std::size_t i) noexcept { return values_.get() + i * stride_; }
  const T* row(std::size_t i) const noexcept { return values_.get() + i * stride_; }
  void fill(T value) noexcept { std::fill_n(values_.get(), count_ * stride_, value); }

 private:
  std::size_t count_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
  hwy::AlignedFreeUniquePtr<T[]> values_;
};

}  // namespace semblance::numerics
