// SPDX-License-Identifier: MIT
#include "device_grids.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "programs.hpp"

namespace semblance::gpu {
namespace {

std::uint32_t tiles(std::size_t count, std::size_t tile) {
  return static_cast<std::uint32_t>((count + tile - 1) / tile);
}

std::size_t slices_of(const GridMeasure& measure) { return tiles(measure.depth, grid_pair_slice); }

/// Values of a grid as the kernels read it.
std::size_t packed_values(const GridMeasure& measure) {
  return measure.cells() * slices_of(measure) * grid_pair_slice;
}

DevicePanels::Shape shape_of(const GridMeasure& measure, std::size_t count) {
  const std::size_t bytes = packed_values(measure) * sizeof(float);
  const std::size_t panel = std::min(rounded_up(DevicePanels::fitting(bytes), grid_pair_bases),
                                     rounded_up(count, grid_pair_bases));
  return {count, measure.cells() * measure.depth, panel, panel * bytes};
}

/// Writes the grids to `to` as the kernels read them, `width` side by side.
void pack(const GridMeasure& measure, MatrixView grids, std::size_t width, DeviceAddress to,
          DeviceQueue& queue) {
  const DeviceAddress raw = queue.memory(of_raw, grids.rows * grids.cols * sizeof(float));
  queue.write(raw, grids.cols, grids);
  PackedGrids argument;
  argument.from = at<const float>(raw);
  argument.to = at<float>(to);
  argument.stride = grids.cols;
  argument.count = static_cast<unsigned>(grids.rows);
  argument.width = static_cast<unsigned>(width);
  argument.cells = static_cast<unsigned>(measure.cells());
  argument.depth = static_cast<unsigned>(measure.depth);
  argument.slices = static_cast<unsigned>(slices_of(measure));
  queue.start(
      grid_pairs_program, "packed_grids",
      {tiles(packed_values(measure), packing_tile), tiles(width, packing_tile), packing_threads},
      argument);
}

/// What the kernels take of the measure.
GridPairs argument_of(const GridMeasure& measure) {
  GridPairs argument;
  argument.height = static_cast<int>(measure.height);
  argument.width = static_cast<int>(measure.width);
  argument.slices = static_cast<unsigned>(slices_of(measure));
  // Further displacements leave no cell in reach.
  argument.reach_rows =
      static_cast<int>(std::min(measure.shift, measure.height - 1 + measure.local));
  argument.reach_cols =
      static_cast<int>(std::min(measure.shift, measure.width - 1 + measure.local));
  argument.local = static_cast<int>(measure.local);
  argument.penalty = static_cast<float>(measure.penalty);
  argument.local_penalty = static_cast<float>(measure.local_penalty);
  const std::size_t nearest = std::min(measure.height, measure.width) + measure.local;
  argument.floor = measure.shift < nearest
                       ? -std::numeric_limits<float>::infinity()
                       : 0 - argument.penalty * static_cast<float>(nearest * nearest);
  argument.basis_moves = measure.basis_moves ? 1 : 0;
  return argument;
}

}  // namespace

DeviceGrids::DeviceGrids(Device& device, std::size_t count, const GridMeasure& measure, Fetch fetch,
                         Context& context)
    : measure_(measure),
      panel_(shape_of(measure, count).panel),
      panels_(
          device, shape_of(measure, count), std::move(fetch),
          [measure, width = panel_](MatrixView rows, DeviceAddress to, DeviceQueue& queue) {
            pack(measure, rows, width, to, queue);
          },
          context) {}

void DeviceGrids::compare_some(MatrixView in, std::size_t first, MutableMatrixView out,
                               DeviceQueue& queue) const {
  const std::size_t width = rounded_up(in.rows, grid_pair_rows);
  const std::size_t out_stride = rounded_up(out.cols, 4);
  const DeviceAddress rows = queue.memory(of_rows, width * packed_values(measure_) * sizeof(float));
  const DeviceAddress results = queue.memory(of_results, in.rows * out_stride * sizeof(float));
  pack(measure_, in, width, rows, queue);
  GridPairs argument = argument_of(measure_);
  argument.rows = at<const float>(rows);
  argument.out_stride = out_stride;
  argument.bases_width = static_cast<unsigned>(panel_);
  argument.rows_width = static_cast<unsigned>(width);
  argument.rows_count = static_cast<unsigned>(in.rows);
  panels_.for_each_part(first, out.cols, queue, [&](const DevicePanels::Part& part) {
    argument.bases = at<const float>(part.panel);
    argument.out = at<float>(results) + part.done;
    argument.first = static_cast<unsigned>(part.first);
    argument.count = static_cast<unsigned>(part.count);
    queue.start(grid_pairs_program, measure_.local == 0 ? "rigid_grids" : "deformable_grids",
                {tiles(part.first % grid_pair_bases + part.count, grid_pair_bases),
                 tiles(width, grid_pair_rows), grid_pair_threads},
                argument);
  });
  queue.read(results, out_stride, out);
}

void DeviceGrids::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                          Context& context) const {
  panels_.for_each_block(in, out, grid_pair_rows, context,
                         [&](MatrixView rows, MutableMatrixView results, DeviceQueue& queue) {
                           compare_some(rows, first, results, queue);
                         });
}

}  // namespace semblance::gpu
