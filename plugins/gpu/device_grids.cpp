// SPDX-License-Identifier: MIT
#include "device_grids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "programs.hpp"

namespace semblance::gpu {
namespace {

constexpr std::size_t most_row_bytes = std::size_t{256} << 20;  // in a block of rows

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

/// In one direction: pairs of cells c and c + z + l inside of the grid, over all z and l.
double pairs_inside(std::size_t cells, std::size_t shift, std::size_t local) {
  const auto n = static_cast<double>(cells), s = static_cast<double>(shift),
             h = static_cast<double>(local);
  double pairs = 0;
  for (double z = -s; z <= s; ++z)
    for (double l = -h; l <= h; ++l) pairs += std::max(0.0, n - std::abs(z + l));
  return pairs;
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

double GridMeasure::products() const noexcept {
  return static_cast<double>(depth) * pairs_inside(height, shift, local) *
         pairs_inside(width, shift, local);
}

DeviceGrids::DeviceGrids(Device& device, std::size_t count, const GridMeasure& measure, Fetch fetch,
                         Context& context, double most_products)
    : measure_(measure),
      most_products_(most_products),
      panel_(shape_of(measure, count).panel),
      panels_(
          device, shape_of(measure, count), std::move(fetch),
          [measure, width = panel_](MatrixView rows, DeviceAddress to, DeviceQueue& queue) {
            pack(measure, rows, width, to, queue);
          },
          context) {}

std::size_t DeviceGrids::at_once(std::size_t count, std::size_t tile, std::size_t others) const {
  const double fit = most_products_ / (measure_.products() * static_cast<double>(others));
  if (fit >= static_cast<double>(count)) return count;
  return std::max(static_cast<std::size_t>(fit) / tile, std::size_t{1}) * tile;
}

void DeviceGrids::compare_some(MatrixView in, std::size_t first, MutableMatrixView out,
                               DeviceQueue& queue, Context& context) const {
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
  const std::size_t bases = at_once(out.cols, grid_pair_bases, width);
  for (std::size_t done = 0; done < out.cols; done += bases) {
    if (done > 0) queue.wait();
    context.check_stop();
    const std::size_t some = std::min(bases, out.cols - done);
    panels_.for_each_part(first + done, some, queue, [&](const DevicePanels::Part& part) {
      argument.bases = at<const float>(part.panel);
      argument.out = at<float>(results) + done + part.done;
      argument.first = static_cast<unsigned>(part.first);
      argument.count = static_cast<unsigned>(part.count);
      queue.start(grid_pairs_program, measure_.local == 0 ? "rigid_grids" : "deformable_grids",
                  {tiles(part.first % grid_pair_bases + part.count, grid_pair_bases),
                   tiles(width, grid_pair_rows), grid_pair_threads},
                  argument);
    });
  }
  queue.read(results, out_stride, out);
}

void DeviceGrids::compare(MatrixView in, std::size_t first, MutableMatrixView out,
                          Context& context) const {
  const std::size_t fitting = most_row_bytes / (packed_values(measure_) * sizeof(float));
  DevicePanels::Rows rows;
  rows.unit = grid_pair_rows;
  rows.most = std::min(at_once(rows.most, rows.unit, out.cols),
                       std::max(fitting / rows.unit, std::size_t{1}) * rows.unit);
  panels_.for_each_block(in, out, rows, context,
                         [&](MatrixView some, MutableMatrixView results, DeviceQueue& queue) {
                           compare_some(some, first, results, queue, context);
                         });
}

}  // namespace semblance::gpu
