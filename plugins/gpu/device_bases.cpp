// SPDX-License-Identifier: MIT
#include "device_bases.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "programs.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu {
namespace {

constexpr std::size_t panel_bytes = std::size_t{64} << 20;
// Left free for the blocks that the queues work on.
constexpr std::size_t spare_bytes = std::size_t{1} << 30;
constexpr std::size_t most_out = std::size_t{1} << 22;   // values of a block's results
constexpr std::size_t most_rows = std::size_t{1} << 14;  // of a block

enum PairPlace : std::size_t { of_rows, of_results, of_panel };

constexpr std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t tiles(std::size_t count) {
  return static_cast<std::uint32_t>((count + row_pair_tile - 1) / row_pair_tile);
}

const char* kernel_of(PairSum sum) {
  return sum == PairSum::product ? "products" : "squared_distances";
}

template <class Value>
Value* at(DeviceAddress address) {
  return reinterpret_cast<Value*>(address);
}

}  // namespace

DeviceBases::DeviceBases(Device& device, std::size_t count, std::size_t cols, Fetch fetch,
                         Context& context)
    : device_(device),
      count_(count),
      cols_(cols),
      stride_(rounded_up(cols, 4)),
      panel_rows_(std::clamp(panel_bytes / (stride_ * sizeof(float)), std::size_t{1}, count)),
      fetch_(std::move(fetch)),
      panels_((count + panel_rows_ - 1) / panel_rows_) {
  const std::size_t bytes = panel_rows_ * stride_ * sizeof(float);
  FloatMatrix rows(panel_rows_, cols_);
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      context.check_stop();
      if (device_.free_memory() < bytes + spare_bytes) break;
      panels_[p] = device_.allocate(bytes);
      const std::size_t first = p * panel_rows_, some = std::min(panel_rows_, count_ - first);
      const MutableMatrixView part = rows.view().rows_range(0, some);
      fetch_(first, part);
      queue.write(panels_[p]->address(), stride_, part);
    }
    queue.wait();
  });
  if (const std::size_t there = resident(); there < count_)
    context.log(
        LogLevel::warning,
        device_.name() + " has memory for " + std::to_string(there) + " of " +
            std::to_string(count_) +
            " bases; the others are copied to it for each block of rows, which takes longer");
}

std::size_t DeviceBases::resident() const noexcept {
  std::size_t found = 0;
  for (std::size_t p = 0; p < panels_.size(); ++p)
    if (panels_[p]) found += std::min(panel_rows_, count_ - p * panel_rows_);
  return found;
}

DeviceAddress DeviceBases::panel(std::size_t number, DeviceQueue& queue) const {
  if (panels_[number]) return panels_[number]->address();
  const DeviceAddress address = queue.memory(of_panel, panel_rows_ * stride_ * sizeof(float));
  const std::size_t first = number * panel_rows_, some = std::min(panel_rows_, count_ - first);
  FloatMatrix rows(some, cols_);
  fetch_(first, rows.view());
  queue.write(address, stride_, rows.view());
  return address;
}

void DeviceBases::compare_some(const PairMeasure& measure, MatrixView in, std::size_t first,
                               MutableMatrixView out, DeviceQueue& queue) const {
  const std::size_t out_stride = rounded_up(out.cols, 4);
  RowPairs argument;
  const DeviceAddress rows = queue.memory(of_rows, in.rows * stride_ * sizeof(float));
  const DeviceAddress results = queue.memory(of_results, in.rows * out_stride * sizeof(float));
  queue.write(rows, stride_, in);
  argument.rows = at<const float>(rows);
  argument.bases_stride = argument.rows_stride = stride_;
  argument.out_stride = out_stride;
  argument.rows_count = static_cast<unsigned>(in.rows);
  argument.cols = static_cast<unsigned>(cols_);
  argument.finish = measure.finish;
  argument.factor = static_cast<float>(measure.factor);
  argument.offset = static_cast<float>(measure.offset);
  argument.degree = measure.degree;
  for (std::size_t done = 0; done < out.cols;) {
    const std::size_t number = (first + done) / panel_rows_;
    const std::size_t within = (first + done) % panel_rows_;
    const std::size_t some = std::min(panel_rows_ - within, out.cols - done);
    argument.bases = at<const float>(panel(number, queue)) + within * stride_;
    argument.out = at<float>(results) + done;
    argument.count = static_cast<unsigned>(some);
    queue.start(row_pairs_program, kernel_of(measure.sum),
                {tiles(some), tiles(in.rows), row_pair_threads}, argument);
    done += some;
  }
  queue.read(results, out_stride, out);
}

void DeviceBases::compare(const PairMeasure& measure, MatrixView in, std::size_t first,
                          MutableMatrixView out, Context& context) const {
  std::size_t rows = std::clamp(most_out / std::max<std::size_t>(out.cols, 1), std::size_t{1},
                                std::min(most_rows, std::max<std::size_t>(in.rows, 1)));
  device_.with_queue([&](DeviceQueue& queue) {
    for (std::size_t row = 0; row < in.rows;) {
      context.check_stop();
      const std::size_t some = std::min(rows, in.rows - row);
      try {
        compare_some(measure, in.rows_range(row, some), first, out.rows_range(row, some), queue);
      } catch (const MemoryError&) {
        if (some == 1) throw;
        rows = some / 2;  // others may have taken the memory
        continue;
      }
      row += some;
    }
  });
}

}  // namespace semblance::gpu
