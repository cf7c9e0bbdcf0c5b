// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <string>

#include "cuda.hpp"
#include "semblance/error.hpp"

namespace semblance::gpu {
namespace {

constexpr std::size_t buffer_values = std::size_t{1} << 20;  // 4 MiB

/// Some rows, or a part of a single row, that fit into a buffer. On the device they begin at value
/// `at`, and take `values` with the gaps between rows.
struct Piece {
  std::size_t row = 0, rows = 1;
  std::size_t col = 0, cols = 0;
  std::size_t at = 0, values = 0;
};

void for_each_piece(std::size_t rows, std::size_t cols, std::size_t stride,
                    const std::function<void(const Piece&)>& body) {
  if (cols == 0) return;
  if (stride <= buffer_values) {
    const std::size_t most = buffer_values / stride;
    for (std::size_t row = 0; row < rows; row += most) {
      const std::size_t count = std::min(most, rows - row);
      body({row, count, 0, cols, row * stride, (count - 1) * stride + cols});
    }
    return;
  }
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t col = 0; col < cols; col += buffer_values) {
      const std::size_t count = std::min(buffer_values, cols - col);
      body({row, 1, col, count, row * stride + col, count});
    }
}

}  // namespace

CudaQueue::CudaQueue(CudaDevice& device) : device_(device) {
  device_.check(device_.driver().create_stream(&stream_, cuda_stream_non_blocking), "make a queue");
  for (Buffer& buffer : buffers_) {
    device_.check(device_.driver().allocate_pinned(&buffer.pinned, buffer_values * sizeof(float)),
                  "pin memory of the host");
    device_.check(device_.driver().create_event(&buffer.done, cuda_event_without_timing),
                  "make an event");
  }
}

CudaQueue::~CudaQueue() {
  settle();
  for (const Buffer& buffer : buffers_) {
    if (buffer.done) device_.driver().destroy_event(buffer.done);
    if (buffer.pinned) device_.driver().free_pinned(buffer.pinned);
  }
  for (const Kept& kept : kept_)
    if (kept.bytes > 0) device_.driver().free(kept.address);
  if (stream_) device_.driver().destroy_stream(stream_);
}

void CudaQueue::settle() noexcept {
  if (stream_) device_.driver().wait_for_stream(stream_);
  for (Buffer& buffer : buffers_) buffer.used = false;
}

void CudaQueue::wait() {
  device_.check(device_.driver().wait_for_stream(stream_), "finish its work");
  settle();
}

DeviceAddress CudaQueue::memory(std::size_t place, std::size_t bytes) {
  Kept& kept = kept_.at(place);
  if (kept.bytes >= bytes) return kept.address;
  if (kept.bytes > 0) {
    wait();
    device_.check(device_.driver().free(kept.address), "free memory");
  }
  kept = {};
  kept.address = device_.allocate_bytes(bytes);
  kept.bytes = bytes;
  return kept.address;
}

void CudaQueue::wait_for(Buffer& buffer) {
  if (!buffer.used) return;
  buffer.used = false;
  device_.check(device_.driver().wait_for_event(buffer.done), "finish its work");
}

float* CudaQueue::free_buffer(std::size_t number) {
  wait_for(buffers_[number]);
  return static_cast<float*>(buffers_[number].pinned);
}

void CudaQueue::write(DeviceAddress to, std::size_t stride, MatrixView rows) {
  for_each_piece(rows.rows, stride, stride, [&](const Piece& piece) {
    float* const values = free_buffer(next_);
    const std::size_t first = std::min(piece.col, rows.cols);
    const std::size_t there = std::min(piece.cols, rows.cols - first);
    for (std::size_t i = 0; i < piece.rows; ++i) {
      float* const end = std::copy_n(rows.row(piece.row + i) + first, there, values + i * stride);
      std::fill_n(end, piece.cols - there, 0.0F);
    }
    Buffer& buffer = buffers_[next_];
    device_.check(device_.driver().to_device(to + piece.at * sizeof(float), values,
                                             piece.values * sizeof(float), stream_),
                  "take rows");
    device_.check(device_.driver().record_event(buffer.done, stream_), "record an event");
    buffer.used = true;
    next_ = 1 - next_;
  });
}

void CudaQueue::read(DeviceAddress from, std::size_t stride, MutableMatrixView rows) {
  Piece before;
  bool pending = false;
  const auto take = [&](std::size_t number) {
    const float* const values = free_buffer(number);
    for (std::size_t i = 0; i < before.rows; ++i)
      std::copy_n(values + i * stride, before.cols, rows.row(before.row + i) + before.col);
  };
  for_each_piece(rows.rows, rows.cols, stride, [&](const Piece& piece) {
    Buffer& buffer = buffers_[next_];
    void* const values = free_buffer(next_);
    device_.check(device_.driver().from_device(values, from + piece.at * sizeof(float),
                                               piece.values * sizeof(float), stream_),
                  "give back rows");
    device_.check(device_.driver().record_event(buffer.done, stream_), "record an event");
    buffer.used = true;
    if (pending) take(1 - next_);
    before = piece;
    pending = true;
    next_ = 1 - next_;
  });
  if (pending) take(1 - next_);
}

void CudaQueue::start(const DeviceProgram& program, const char* kernel, const DeviceGrid& grid,
                      const void* argument, std::size_t) {
  CUfunction function = device_.function(program, kernel);
  void* arguments[] = {const_cast<void*>(argument)};
  device_.check(device_.driver().launch(function, grid.columns, grid.rows, 1, grid.threads, 1, 1, 0,
                                        stream_, arguments, nullptr),
                std::string("start ") + kernel);
}

}  // namespace semblance::gpu
