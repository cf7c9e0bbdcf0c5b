// SPDX-License-Identifier: MIT
#include "device_bases.hpp"

#include <algorithm>
#include <utility>

#include "programs.hpp"

namespace semblance::gpu {
namespace {

const char* kernel_of(PairSum sum) {
  return sum == PairSum::product ? "products" : "squared_distances";
}

DevicePanels::Shape shape_of(std::size_t count, std::size_t cols) {
  const std::size_t bytes = rounded_up(cols, row_pair_depth) * sizeof(float);
  const std::size_t panel = std::min(DevicePanels::fitting(bytes), count);
  return {count, cols, panel, panel * bytes};
}

}  // namespace

DeviceBases::DeviceBases(Device& device, std::size_t count, std::size_t cols, Fetch fetch,
                         Context& context)
    : cols_(cols),
      stride_(rounded_up(cols, row_pair_depth)),
      panels_(
          device, shape_of(count, cols), std::move(fetch),
          [stride = stride_](MatrixView rows, DeviceAddress to, DeviceQueue& queue) {
            queue.write(to, stride, rows);
          },
          context) {}

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
  panels_.for_each_part(first, out.cols, queue, [&](const DevicePanels::Part& part) {
    argument.bases = at<const float>(part.panel) + part.first * stride_;
    argument.out = at<float>(results) + part.done;
    argument.count = static_cast<unsigned>(part.count);
    queue.start(
        row_pairs_program, kernel_of(measure.sum),
        {blocks_of(row_pair_tile, part.count), blocks_of(row_pair_tile, in.rows), row_pair_threads},
        argument);
  });
  queue.read(results, out_stride, out);
}

void DeviceBases::compare(const PairMeasure& measure, MatrixView in, std::size_t first,
                          MutableMatrixView out, Context& context) const {
  panels_.for_each_block(in, out, {.unit = row_pair_tile}, context,
                         [&](MatrixView rows, MutableMatrixView results, DeviceQueue& queue) {
                           compare_some(measure, rows, first, results, queue);
                         });
}

}  // namespace semblance::gpu
