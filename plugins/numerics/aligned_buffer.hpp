// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>

namespace semblance::numerics {

/// Float32 values that start on a cache line; not initialized.
class AlignedBuffer {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : size_(size) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(float))
      throw std::bad_array_new_length();
    values_.reset(static_cast<float*>(::operator new(std::max<std::size_t>(size, 1) * sizeof(float),
                                                     std::align_val_t(alignment))));
  }

  float* data() noexcept { return values_.get(); }
  const float* data() const noexcept { return values_.get(); }
  std::size_t size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(float* p) const noexcept { ::operator delete(p, std::align_val_t(alignment)); }
  };
  std::unique_ptr<float[], Free> values_;
  std::size_t size_ = 0;
};

}  // namespace semblance::numerics
