// SPDX-License-Identifier: MIT
#include "device_grids.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "grid_pairs_testing.hpp"
#include "programs.hpp"
#include "real_device_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu::device_grids_test {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

FloatMatrix grids_of(std::size_t rows, const GridMeasure& measure, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix made(rows, measure.cells() * measure.depth);
  for (float& value : made.values) value = static_cast<float>(random.normal());
  return made;
}

DeviceGrids::Fetch fetch_from(const FloatMatrix& bases) {
  return [&bases](std::size_t first, MutableMatrixView to) {
    for (std::size_t i = 0; i < to.rows; ++i)
      std::copy_n(bases.view().row(first + i), to.cols, to.row(i));
  };
}

FloatMatrix compared(const DeviceGrids& on_device, const FloatMatrix& rows, std::size_t first,
                     std::size_t count, Context& context) {
  FloatMatrix out(rows.rows, count);
  on_device.compare(rows.view(), first, out.view(), context);
  return out;
}

/// A value and the sum of the absolute values of its terms.
struct Exact {
  double value = -std::numeric_limits<double>::infinity();
  double size = 0;
};

/// The product of the cell of `b` at (row, col) with that of `x` at (y, c).
Exact product(const GridMeasure& m, const float* b, const float* x, int row, int col, int y,
              int c) {
  const int height = int(m.height), width = int(m.width);
  Exact exact = {0, 0};
  if (y < 0 || y >= height || c < 0 || c >= width) return exact;
  for (std::size_t k = 0; k < m.depth; ++k) {
    const double term = double{b[std::size_t(row * width + col) * m.depth + k]} *
                        x[std::size_t(y * width + c) * m.depth + k];
    exact.value += term;
    exact.size += std::abs(term);
  }
  return exact;
}

/// The definition, written out.
Exact brute_force(const GridMeasure& m, const float* b, const float* x) {
  const int shift = int(m.shift), local = int(m.local);
  if (m.basis_moves) std::swap(b, x);
  Exact best;
  for (int zy = -shift; zy <= shift; ++zy)
    for (int zx = -shift; zx <= shift; ++zx) {
      const double cost = m.penalty * (zy * zy + zx * zx);
      Exact sum = {-cost, cost};
      for (int row = 0; row < int(m.height); ++row)
        for (int col = 0; col < int(m.width); ++col) {
          Exact nearby;
          for (int ly = -local; ly <= local; ++ly)
            for (int lx = -local; lx <= local; ++lx) {
              const Exact one = product(m, b, x, row, col, row + zy + ly, col + zx + lx);
              const double price = m.local_penalty * (ly * ly + lx * lx);
              nearby.value = std::max(nearby.value, one.value - price);
              nearby.size = std::max(nearby.size, one.size + price);
            }
          sum.value += nearby.value;
          sum.size += nearby.size;
        }
      best.value = std::max(best.value, sum.value);
      best.size = std::max(best.size, sum.size);
    }
  return best;
}

/// The worst error in units of the bound that DeviceGrids states.
double worst_error(const GridMeasure& m, const FloatMatrix& bases, const FloatMatrix& rows,
                   const FloatMatrix& out) {
  const auto terms =
      static_cast<double>(m.local == 0 ? m.width * m.depth + m.height : m.depth + m.cells());
  double worst = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j) {
      const Exact exact = brute_force(m, bases.view().row(j), rows.view().row(i));
      const double error = std::abs(out.view().row(i)[j] - exact.value) /
                           ((terms + 3) * std::ldexp(1.0, -24) * exact.size);
      worst = error <= worst ? worst : error;
    }
  return worst;
}

/// Height, width, depth, shift, local.
using Case = std::array<std::size_t, 5>;

GridMeasure measure_of(const Case& c, bool penalties = false, bool basis_moves = false) {
  return {c[0], c[1], c[2], c[3], c[4], penalties ? 0.7 : 0.0, penalties ? 0.3 : 0.0, basis_moves};
}

TEST_CASE("grids on a device have the values of the definition") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  for (const Case& c : std::vector<Case>{{4, 4, 31, 0, 1},
                                         {4, 4, 31, 1, 0},
                                         {4, 4, 31, 0, 0},
                                         {4, 3, 9, 2, 1},
                                         {3, 4, 8, 0, 2},
                                         {1, 1, 3, 0, 0},
                                         {1, 1, 1, 3, 0},
                                         {1, 1, 3, 1, 1},
                                         {3, 5, 1, 5, 0},
                                         {3, 5, 1, 0, 6},
                                         {2, 3, 1, 5, 2},
                                         {2, 3, 36, 1, 1},
                                         {1, 7, 36, 2, 0},
                                         {5, 1, 2, 1, 3}})
    for (const bool penalties : {false, true})
      for (const bool basis_moves : {false, true}) {
        const GridMeasure measure = measure_of(c, penalties, basis_moves);
        CAPTURE(c);
        CAPTURE(penalties);
        CAPTURE(basis_moves);
        const FloatMatrix bases = grids_of(21, measure, 1), rows = grids_of(9, measure, 2);
        const DeviceGrids on_device(device, bases.rows, measure, fetch_from(bases), context);
        CHECK(worst_error(measure, bases, rows, compared(on_device, rows, 0, 21, context)) <= 1);
      }
}

TEST_CASE("the paper's grids have the values of the definition") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  for (const Case& c : std::vector<Case>{{8, 8, 31, 0, 1}, {8, 8, 31, 2, 0}}) {
    const GridMeasure measure = measure_of(c);
    const FloatMatrix bases = grids_of(130, measure, 1), rows = grids_of(3, measure, 2);
    const DeviceGrids on_device(device, bases.rows, measure, fetch_from(bases), context);
    CHECK(worst_error(measure, bases, rows, compared(on_device, rows, 0, 130, context)) <= 1);
  }
}

TEST_CASE("a value depends on its two grids alone") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  for (const Case& c : std::vector<Case>{{2, 3, 5, 1, 1}, {3, 2, 9, 1, 0}}) {
    const GridMeasure measure = measure_of(c, true);
    const FloatMatrix bases = grids_of(300, measure, 1), rows = grids_of(200, measure, 2);
    const DeviceGrids on_device(device, 300, measure, fetch_from(bases), context);
    const FloatMatrix all = compared(on_device, rows, 0, 300, context);
    CHECK(worst_error(measure, bases, rows, all) <= 1);
    for (const auto& [row, first, count] : std::vector<std::array<std::size_t, 3>>{
             {0, 0, 1}, {130, 7, 200}, {199, 299, 1}, {64, 127, 2}, {63, 129, 171}}) {
      FloatMatrix one(1, count);
      on_device.compare(rows.view().rows_range(row, 1), first, one.view(), context);
      CHECK(std::equal(one.values.begin(), one.values.end(), all.view().row(row) + first));
    }
  }
}

TEST_CASE("a cell that is not a number gives no numbers") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  for (const std::size_t local : {0, 1})
    for (const float bad : {not_a_number, -not_a_number}) {
      const GridMeasure measure = measure_of({3, 3, 3, 1, local});
      FloatMatrix bases = grids_of(70, measure, 1), rows = grids_of(3, measure, 2);
      rows.view().row(1)[0] = bad;
      bases.view().row(5)[26] = bad;
      const DeviceGrids on_device(device, 70, measure, fetch_from(bases), context);
      const FloatMatrix out = compared(on_device, rows, 0, 70, context);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 70; ++j)
          CHECK(std::isnan(out.view().row(i)[j]) == (i == 1 || j == 5));
    }
}

TEST_CASE("a maximum does not hide a product beyond float32") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  const GridMeasure measure = measure_of({1, 2, 2, 0, 1});
  FloatMatrix bases(1, 4), rows(1, 4);
  bases.values = {1e30F, 1e30F, 0, 0};
  rows.values = {1e30F, -1e30F, 1, 1};  // the first product is inf - inf
  const DeviceGrids on_device(device, 1, measure, fetch_from(bases), context);
  CHECK(std::isnan(compared(on_device, rows, 0, 1, context).values[0]));
}

TEST_CASE("grids that do not fit are copied for each block, with the same results") {
  const GridMeasure measure = measure_of({8, 8, 31, 0, 0});
  const std::size_t count = 3 * 8192 - 5;  // 3 panels of 64 MiB
  const auto fetch = [](std::size_t first, MutableMatrixView to) {
    for (std::size_t i = 0; i < to.rows; ++i)
      for (std::size_t k = 0; k < to.cols; ++k)
        to.row(i)[k] = static_cast<float>((first + i) * 7919 % 101 + k * 31 % 17) - 50;
  };
  ModelDevice large, small((std::size_t{1} << 30) + (std::size_t{150} << 20));
  add_grid_pairs(large);
  add_grid_pairs(small);
  DeviceContext in_large(large), in_small(small);
  const DeviceGrids whole(large, count, measure, fetch, in_large);
  const DeviceGrids partly(small, count, measure, fetch, in_small);
  CHECK(whole.resident() == count);
  CHECK(partly.resident() > 0);
  CHECK(partly.resident() < count);
  REQUIRE(in_small.lines.size() == 1);
  CHECK(in_small.lines[0].find("has memory for") != std::string::npos);
  const FloatMatrix rows = grids_of(1, measure, 2);
  for (const std::size_t first : {std::size_t{8100}, std::size_t{16300}, count - 130}) {
    const FloatMatrix expected = compared(whole, rows, first, 130, in_large);
    CHECK(compared(partly, rows, first, 130, in_small).values == expected.values);
    FloatMatrix bases(130, rows.cols);
    fetch(first, bases.view());
    CHECK(worst_error(measure, bases, rows, expected) <= 1);
  }
}

TEST_CASE("a full device gets fewer grids at a time, and at last a message") {
  const GridMeasure measure = measure_of({2, 2, 8, 0, 1});
  const FloatMatrix bases = grids_of(100, measure, 1), rows = grids_of(2000, measure, 2);
  ModelDevice device((std::size_t{1} << 30) + (std::size_t{1} << 20));
  add_grid_pairs(device);
  DeviceContext context(device);
  const DeviceGrids on_device(device, 100, measure, fetch_from(bases), context);
  const FloatMatrix all = compared(on_device, rows, 0, 100, context);
  {
    const auto others = device.allocate(device.free_memory() - 500000);
    const std::size_t before = device.started;
    CHECK(compared(on_device, rows, 0, 100, context).values == all.values);
    CHECK(device.started > before + 4);
  }
  const auto others = device.allocate(device.free_memory() - 500);
  CHECK_THROWS_AS(compared(on_device, rows, 0, 100, context), MemoryError);
}

TEST_CASE("a stop request ends a comparison of grids") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  const GridMeasure measure = measure_of({2, 2, 3, 0, 1});
  const FloatMatrix bases = grids_of(10, measure, 1), rows = grids_of(3, measure, 2);
  const DeviceGrids on_device(device, 10, measure, fetch_from(bases), context);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(compared(on_device, rows, 0, 10, context), Cancelled);
}

TEST_CASE("products are counted where the grids overlap") {
  CHECK(measure_of({8, 8, 31, 0, 0}).products() == 64 * 31);
  CHECK(measure_of({8, 8, 31, 0, 1}).products() == 22 * 22 * 31);
  CHECK(measure_of({4, 8, 31, 2, 0}).products() == (4 + 6 + 4) * (8 + 14 + 12) * 31);
  CHECK(measure_of({1, 2, 3, 4, 1}).products() == 3 * (3 * 2 + 3 + 3) * 3);
}

TEST_CASE("long comparisons are divided, with the same results, and can be stopped") {
  ModelDevice device;
  add_grid_pairs(device);
  DeviceContext context(device);
  const GridMeasure measure = measure_of({2, 3, 5, 1, 1});
  const FloatMatrix bases = grids_of(300, measure, 1), rows = grids_of(150, measure, 2);
  const DeviceGrids whole(device, 300, measure, fetch_from(bases), context);
  const DeviceGrids divided(device, 300, measure, fetch_from(bases), context, 1);
  const std::size_t before = device.started;
  const FloatMatrix expected = compared(whole, rows, 7, 290, context);
  const std::size_t between = device.started;
  CHECK(compared(divided, rows, 7, 290, context).values == expected.values);
  CHECK(between - before == 2);
  CHECK(device.started - between == 3 * (1 + 3));  // blocks of rows, each packed, of bases
}

TEST_CASE("a GPU computes the bits of the model of grids") {
  Device* const device = real_device();
  if (!device) return;
  ModelDevice model;
  add_grid_pairs(model);
  DeviceContext on_model(model), on_gpu(*device);
  for (const Case& c : std::vector<Case>{{8, 8, 31, 0, 1},
                                         {8, 8, 31, 2, 0},
                                         {4, 4, 31, 1, 1},
                                         {3, 5, 1, 5, 0},
                                         {2, 3, 36, 4, 2},
                                         {1, 1, 3, 0, 0}})
    for (const bool other : {false, true}) {
      const GridMeasure measure = measure_of(c, other, other);
      CAPTURE(c);
      const FloatMatrix bases = grids_of(150, measure, 1), rows = grids_of(70, measure, 2);
      const DeviceGrids expected(model, 150, measure, fetch_from(bases), on_model);
      const DeviceGrids there(*device, 150, measure, fetch_from(bases), on_gpu);
      const FloatMatrix a = compared(expected, rows, 0, 150, on_model);
      const FloatMatrix b = compared(there, rows, 0, 150, on_gpu);
      CHECK(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0);
    }
}

TEST_CASE("a GPU gives no numbers for grids that have none") {
  Device* const device = real_device();
  if (!device) return;
  DeviceContext context(*device);
  for (const std::size_t local : {0, 1}) {
    const GridMeasure measure = measure_of({3, 3, 3, 1, local});
    const FloatMatrix bases = grids_of(70, measure, 1);
    FloatMatrix rows = grids_of(3, measure, 2);
    rows.view().row(1)[0] = not_a_number;
    const DeviceGrids on_device(*device, 70, measure, fetch_from(bases), context);
    const FloatMatrix out = compared(on_device, rows, 0, 70, context);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 70; ++j) CHECK(std::isnan(out.view().row(i)[j]) == (i == 1));
  }
}

double seconds_of(const std::function<void()>& work) {
  double best = INFINITY;
  for (int run = 0; run < 4; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

/// The kernel alone, on packed grids of any numbers.
double kernel_seconds(Device& device, const GridMeasure& measure, std::size_t bases,
                      std::size_t rows) {
  GridPairs argument;
  argument.height = int(measure.height);
  argument.width = int(measure.width);
  argument.slices = unsigned((measure.depth + grid_pair_slice - 1) / grid_pair_slice);
  argument.reach_rows = argument.reach_cols = int(measure.shift);
  argument.local = int(measure.local);
  argument.floor = -INFINITY;
  argument.out_stride = argument.count = unsigned(bases);
  argument.bases_width = unsigned(rounded_up(bases, grid_pair_bases));
  argument.rows_width = argument.rows_count = unsigned(rounded_up(rows, grid_pair_rows));
  const std::size_t values = measure.cells() * argument.slices * grid_pair_slice;
  const DeviceGrid blocks = {argument.bases_width / grid_pair_bases,
                             argument.rows_width / grid_pair_rows, grid_pair_threads};
  FloatMatrix some_bases(values, argument.bases_width), some_rows(values, argument.rows_width);
  Random random(3);
  for (float& value : some_bases.values) value = static_cast<float>(random.normal());
  for (float& value : some_rows.values) value = static_cast<float>(random.normal());
  double seconds = 0;
  device.with_queue([&](DeviceQueue& queue) {
    const auto kept = [&](std::size_t place, const FloatMatrix& from) {
      const DeviceAddress address = queue.memory(place, from.values.size() * sizeof(float));
      queue.write(address, from.cols, from.view());
      return at<const float>(address);
    };
    argument.bases = kept(0, some_bases);
    argument.rows = kept(1, some_rows);
    argument.out = at<float>(queue.memory(2, rows * bases * sizeof(float)));
    queue.wait();
    seconds = seconds_of([&] {
      queue.start(grid_pairs_program, measure.local == 0 ? "rigid_grids" : "deformable_grids",
                  blocks, argument);
      queue.wait();
    });
  });
  return seconds;
}

TEST_CASE("the rate of a GPU on grids") {
  if (!std::getenv("SEMBLANCE_GPU_BENCH")) return;
  Device* const device = real_device();
  if (!device) return;
  DeviceContext context(*device);
  for (const Case& c : std::vector<Case>{{8, 8, 31, 0, 1},
                                         {8, 8, 31, 2, 0},
                                         {8, 8, 31, 2, 1},
                                         {4, 4, 31, 0, 1},
                                         {4, 4, 31, 1, 0}}) {
    const GridMeasure measure = measure_of(c);
    const std::size_t count = 5000, samples = 8192;
    const FloatMatrix bases = grids_of(count, measure, 1), rows = grids_of(samples, measure, 2);
    const DeviceGrids on_device(*device, count, measure, fetch_from(bases), context);
    FloatMatrix out(samples, count);
    const double flop = 2 * measure.products() * double(count * samples);
    const double seconds =
        seconds_of([&] { on_device.compare(rows.view(), 0, out.view(), context); });
    const double computing = kernel_seconds(*device, measure, count, samples);
    MESSAGE(device->name() << ": " << c[0] << "x" << c[1] << "x" << c[2] << " shift " << c[3]
                           << " local " << c[4] << ", " << count << " bases, " << samples
                           << " rows: " << 1e3 * seconds << " ms with copies, "
                           << flop / seconds / 1e12 << " TFLOP/s; the kernel alone "
                           << 1e3 * computing << " ms, " << flop / computing / 1e12 << " TFLOP/s");
  }
}

}  // namespace
}  // namespace semblance::gpu::device_grids_test
