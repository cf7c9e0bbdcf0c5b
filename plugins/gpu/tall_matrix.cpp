// SPDX-License-Identifier: MIT
#include "tall_matrix.hpp"

#include <algorithm>
#include <type_traits>

#include "addresses.hpp"
#include "programs.hpp"
#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "tall_products.hpp"

namespace semblance::gpu {
namespace {

constexpr std::size_t least_values = std::size_t{1} << 22;
constexpr std::size_t rows_at_once = std::size_t{1} << 12;

enum TallPlace : std::size_t { of_input, of_output, of_parts };

/// Rows of T as rows of float32, for copies.
template <class T>
MatrixView as_floats(const T* values, std::size_t rows, std::size_t cols, std::size_t stride) {
  constexpr std::size_t floats = sizeof(T) / sizeof(float);
  return {reinterpret_cast<const float*>(values), rows, cols * floats, stride * floats};
}
template <class T>
MutableMatrixView as_floats(T* values, std::size_t rows, std::size_t cols, std::size_t stride) {
  constexpr std::size_t floats = sizeof(T) / sizeof(float);
  return {reinterpret_cast<float*>(values), rows, cols * floats, stride * floats};
}

template <class T>
constexpr bool single = std::is_same_v<T, float>;
template <class T>
constexpr std::size_t most_vectors = single<T> ? tall_vectors_float : tall_vectors_double;

}  // namespace

std::shared_ptr<const TallMatrix> TallMatrix::of(const Rows& rows, Context& context) {
  Device* const device = context.device();
  if (!device || context.collectives().ranks() > 1 || rows.rows() * rows.cols() < least_values)
    return nullptr;
  const std::size_t bytes = rows.rows() * rounded_up(rows.cols(), 4) * sizeof(float);
  if (bytes > device->memory() / 2) {
    context.log(LogLevel::info, "the rows take more than half of the memory of " + device->name() +
                                    ", so the CPU computes");
    return nullptr;
  }
  return std::shared_ptr<const TallMatrix>(new TallMatrix(*device, rows, context));
}

TallMatrix::TallMatrix(Device& device, const Rows& rows, Context& context)
    : device_(device),
      rows_(rows.rows()),
      cols_(rows.cols()),
      stride_(rounded_up(cols_, 4)),
      values_(device.allocate(rows_ * stride_ * sizeof(float))) {
  context.parallel_for(blocks_of(rows_at_once, rows_), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * rows_at_once, count = std::min(rows_at_once, rows_ - first);
    device_.with_queue([&](DeviceQueue& queue) {
      queue.write(values_->address() + first * stride_ * sizeof(float), stride_,
                  rows.view(first, count));
      queue.wait();
    });
    rows.release(first, count);
  });
}

template <class T>
void TallMatrix::multiply(const T* v, std::size_t stride, std::size_t count, T* z) const {
  device_.with_queue([&](DeviceQueue& queue) {
    TallProducts argument;
    const DeviceAddress in = queue.memory(of_input, count * stride * sizeof(T)),
                        out = queue.memory(of_output, rows_ * count * sizeof(T));
    queue.write(in, stride * sizeof(T) / sizeof(float), as_floats(v, count, stride, stride));
    argument.x = at<const float>(values_->address());
    argument.in = at<const void>(in);
    argument.out = at<void>(out);
    argument.x_stride = stride_;
    argument.stride = stride;
    argument.rows = static_cast<unsigned>(rows_);
    argument.cols = static_cast<unsigned>(cols_);
    argument.all = static_cast<unsigned>(count);
    for (std::size_t first = 0; first < count; first += most_vectors<T>) {
      argument.first = static_cast<unsigned>(first);
      argument.count = static_cast<unsigned>(std::min(most_vectors<T>, count - first));
      queue.start(tall_matrix_program, single<T> ? "tall_products_float" : "tall_products_double",
                  {blocks_of(tall_rows, rows_), 1, tall_threads}, argument);
    }
    queue.read(out, count * sizeof(T) / sizeof(float), as_floats(z, rows_, count, count));
  });
}

template <class T>
void TallMatrix::sum(const T* z, std::size_t count, double* out, std::size_t stride) const {
  device_.with_queue([&](DeviceQueue& queue) {
    const std::size_t parts = blocks_of(tall_part, rows_);
    const std::size_t most = std::min(most_vectors<T>, count);
    TallProducts argument;
    TallTotals totals;
    const DeviceAddress in = queue.memory(of_input, rows_ * count * sizeof(T)),
                        sums = queue.memory(of_output, count * stride_ * sizeof(double)),
                        of_part = queue.memory(of_parts, parts * most * stride_ * sizeof(T));
    queue.write(in, count * sizeof(T) / sizeof(float), as_floats(z, rows_, count, count));
    argument.x = at<const float>(values_->address());
    argument.in = at<const void>(in);
    argument.out = at<void>(of_part);
    argument.x_stride = argument.stride = stride_;
    argument.rows = static_cast<unsigned>(rows_);
    argument.cols = static_cast<unsigned>(cols_);
    argument.all = static_cast<unsigned>(count);
    totals.parts = argument.out;
    totals.count = static_cast<unsigned>(parts);
    for (std::size_t first = 0; first < count; first += most_vectors<T>) {
      argument.first = static_cast<unsigned>(first);
      argument.count = static_cast<unsigned>(std::min(most_vectors<T>, count - first));
      totals.values = argument.count * stride_;
      totals.out = at<double>(sums) + first * stride_;
      queue.start(tall_matrix_program, single<T> ? "tall_sums_float" : "tall_sums_double",
                  {blocks_of(tall_cols, cols_), static_cast<std::uint32_t>(parts), tall_threads},
                  argument);
      queue.start(tall_matrix_program, single<T> ? "tall_totals_float" : "tall_totals_double",
                  {blocks_of(tall_threads, totals.values), 1, tall_threads}, totals);
    }
    queue.read(sums, stride_ * 2, as_floats(out, count, cols_, stride));
  });
}

template void TallMatrix::multiply(const float*, std::size_t, std::size_t, float*) const;
template void TallMatrix::multiply(const double*, std::size_t, std::size_t, double*) const;
template void TallMatrix::sum(const float*, std::size_t, double*, std::size_t) const;
template void TallMatrix::sum(const double*, std::size_t, double*, std::size_t) const;

}  // namespace semblance::gpu
