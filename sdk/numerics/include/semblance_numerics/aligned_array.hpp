// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>

namespace semblance::numerics {

/// Numbers that start on a cache line; not initialized.
template <class T>
class AlignedArray {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_array_new_length();
    values_.reset(static_cast<T*>(
        ::operator new(std::max<std::size_t>(size, 1) * sizeof(T), std::align_val_t(alignment))));
  }

  T* data() noexcept { return values_.get(); }
  const T* data() const noexcept { return values_.get(); }
  std::size_t size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(T* p) const noexcept { ::operator delete(p, std::align_val_t(alignment)); }
  };
  std::unique_ptr<T[], Free> values_;
  std::size_t size_ = 0;
};

using AlignedBuffer = AlignedArray<float>;

}  // namespace semblance::numerics
