// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "scratch_file.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// A growing array in memory or, once it is too large, in a scratch file, whose pages leave memory
/// while more is appended and by drop_pages().
template <class T>
requires std::is_trivially_copyable_v<T>
class SpillingArray {
 public:
  SpillingArray() = default;
  SpillingArray(SpillingArray&& other) noexcept { swap(other); }
  SpillingArray& operator=(SpillingArray&& other) noexcept {
    SpillingArray(std::move(other)).swap(*this);
    return *this;
  }

  /// Beyond this number of bytes, the values go to a file in the context's scratch folder. The
  /// context must live while values are appended.
  void spill(std::size_t most_bytes, Context& context) {
    most_ = most_bytes / sizeof(T);
    context_ = &context;
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& back() noexcept { return data_[size_ - 1]; }

  void push_back(T value) {
    if (size_ == next_) make_room(1);
    data_[size_++] = value;
  }
  void append(std::span<const T> values) {
    if (next_ - size_ < values.size()) make_room(values.size());
    std::ranges::copy(values, data_ + size_);
    size_ += values.size();
  }
  void reserve(std::size_t size) {
    if (size > next_) make_room(size - size_);
  }
  /// New values are 0.
  void resize(std::size_t size) {
    const std::size_t before = size_;
    reserve(size);
    size_ = size;
    if (size > before) std::fill(data_ + before, data_ + size, T{});
  }
  void shrink_to_fit() {
    if (!file_ && size_ > 0 && size_ < next_) resize_memory(size_);
  }

  bool spilled() const noexcept { return file_ != nullptr; }
  std::size_t bytes_in_memory() const noexcept { return file_ ? 0 : size_ * sizeof(T); }
  /// For a scratch file; the pages are read again on access.
  void drop_pages() const noexcept {
    if (file_) file_->drop_pages();
  }

 private:
  // Pages stay in memory until this number of bytes has been written.
  static constexpr std::size_t step = (std::size_t{4} << 20) / sizeof(T);

  void make_room(std::size_t more) {
    const std::size_t needed = size_ + more;
    if (!file_ && needed > most_ && context_) {
      auto file = std::make_unique<common::ScratchFile>(context_->scratch_folder());
      file->grow(std::max(needed, 2 * size_) * sizeof(T));
      for (std::size_t k = 0; k < size_; k += step) {
        std::copy_n(data_ + k, std::min(step, size_ - k), reinterpret_cast<T*>(file->data()) + k);
        file->drop_pages();
      }
      file_ = std::move(file);
      memory_.reset();
    }
    if (file_) {
      file_->drop_pages();
      if (needed * sizeof(T) > file_->bytes())
        file_->grow(std::max(needed * sizeof(T), file_->bytes() + file_->bytes() / 2));
      data_ = reinterpret_cast<T*>(file_->data());
      next_ = std::min(file_->bytes() / sizeof(T), std::max(needed, size_ + step));
      return;
    }
    std::size_t room = std::max({needed, 2 * next_, std::size_t{64}});
    if (context_) room = std::min(room, std::max(needed, most_));
    resize_memory(room);
  }

  void resize_memory(std::size_t room) {
    void* const moved = std::realloc(memory_.get(), room * sizeof(T));
    if (!moved) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<T*>(moved));
    data_ = memory_.get();
    next_ = room;
  }

  void swap(SpillingArray& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(file_, other.file_);
    std::swap(context_, other.context_);
    std::swap(most_, other.most_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(next_, other.next_);
  }

  struct Free {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory_;
  std::unique_ptr<common::ScratchFile> file_;
  Context* context_ = nullptr;  ///< null: never in a file
  std::size_t most_ = 0;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t next_ = 0;  ///< from this size on, values are spilled
};

/// Sparse rows use at most half of a call's memory; more go to its scratch folder.
inline void spill_beyond_share(Context& context, SpillingArray<float>& values,
                               SpillingArray<std::uint32_t>& columns) {
  const std::size_t most = context.memory_budget() / 4;
  values.spill(most, context);
  columns.spill(most, context);
}

}  // namespace semblance::sources
