// SPDX-License-Identifier: MIT
#include "device_bases.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "real_device_testing.hpp"
#include "row_pairs_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu::device_bases_test {
namespace {

FloatMatrix rows_of(std::size_t rows, std::size_t cols, std::uint64_t seed, double level = 0) {
  Random random(seed);
  FloatMatrix made(rows, cols);
  for (float& value : made.values) value = static_cast<float>(level + random.normal());
  return made;
}

DeviceBases::Fetch fetch_from(const FloatMatrix& bases) {
  return [&bases](std::size_t first, MutableMatrixView to) {
    for (std::size_t i = 0; i < to.rows; ++i)
      std::copy_n(bases.view().row(first + i), to.cols, to.row(i));
  };
}

FloatMatrix compared(const DeviceBases& on_device, const PairMeasure& measure,
                     const FloatMatrix& rows, std::size_t first, std::size_t count,
                     Context& context) {
  FloatMatrix out(rows.rows, count);
  on_device.compare(measure, rows.view(), first, out.view(), context);
  return out;
}

double term(PairSum sum, double b, double x) {
  return sum == PairSum::product ? b * x : (b - x) * (b - x);
}

/// The worst error in units of the bound that DeviceBases states; the measure's sum alone.
double worst_error(PairSum sum, const FloatMatrix& bases, const FloatMatrix& rows,
                   const FloatMatrix& out) {
  const auto d = static_cast<double>(rows.cols);
  const double bound = (std::min(d, 2048.0) + d / 2048 + 4) * std::ldexp(1.0, -24);
  double worst = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j) {
      double right = 0, size = 0;
      for (std::size_t k = 0; k < rows.cols; ++k) {
        const double t = term(sum, bases.view().row(j)[k], rows.view().row(i)[k]);
        right += t;
        size += std::abs(t);
      }
      const double error = std::abs(out.view().row(i)[j] - right) / (size * bound);
      worst = error <= worst ? worst : error;
    }
  return worst;
}

TEST_CASE("all sums are right for any shape and level") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  for (const auto& [bases_count, rows_count, cols] : std::vector<std::array<std::size_t, 3>>{
           {130, 129, 37}, {1, 1, 1}, {257, 3, 16}, {5, 300, 2}})
    for (const double level : {0.0, 1000.0})
      for (const PairSum sum : {PairSum::product, PairSum::squared_difference}) {
        const FloatMatrix bases = rows_of(bases_count, cols, 1, level);
        const FloatMatrix rows = rows_of(rows_count, cols, 2, level);
        const DeviceBases on_device(device, bases.rows, cols, fetch_from(bases), context);
        const FloatMatrix out = compared(on_device, {sum}, rows, 0, bases.rows, context);
        CHECK(worst_error(sum, bases, rows, out) <= 1);
      }
}

TEST_CASE("long rows are summed in parts") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  const FloatMatrix bases = rows_of(3, 10007, 1), rows = rows_of(2, 10007, 2);
  const DeviceBases on_device(device, 3, 10007, fetch_from(bases), context);
  const FloatMatrix out = compared(on_device, {PairSum::squared_difference}, rows, 0, 3, context);
  CHECK(worst_error(PairSum::squared_difference, bases, rows, out) <= 1);
  // One sum after the other would be off by more.
  CHECK(worst_error(PairSum::squared_difference, bases, rows, out) < 0.2);
}

TEST_CASE("the Gaussian and the power are taken of the sums") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  const FloatMatrix bases = rows_of(70, 20, 1), rows = rows_of(50, 20, 2);
  const DeviceBases on_device(device, 70, 20, fetch_from(bases), context);
  const FloatMatrix gaussian = compared(
      on_device, {PairSum::squared_difference, Finish::exponential, -0.05}, rows, 0, 70, context);
  const FloatMatrix power =
      compared(on_device, {PairSum::product, Finish::power, 0.1, 1, 3}, rows, 0, 70, context);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < 70; ++j) {
      double distance = 0, product = 0;
      for (std::size_t k = 0; k < 20; ++k) {
        distance +=
            term(PairSum::squared_difference, bases.view().row(j)[k], rows.view().row(i)[k]);
        product += term(PairSum::product, bases.view().row(j)[k], rows.view().row(i)[k]);
      }
      const double expected = std::exp(-0.05 * distance);
      CHECK(gaussian.view().row(i)[j] == doctest::Approx(expected).epsilon(2e-6));
      CHECK(power.view().row(i)[j] ==
            doctest::Approx(std::pow(0.1 * product + 1, 3)).epsilon(1e-4));
    }
}

TEST_CASE("the exponential is exact to two units, and keeps NaN") {
  for (double x = -110; x < 90; x += 0.00917) {
    const auto argument = static_cast<float>(x);
    const double right = std::exp(double{argument});
    const float value = exponential(argument);
    if (right > std::numeric_limits<float>::max()) continue;
    const auto near = static_cast<float>(right);
    const double unit = std::nextafter(near, std::numeric_limits<float>::infinity()) - double{near};
    CHECK(std::abs(value - right) <= 2 * unit);
  }
  CHECK(exponential(0) == 1);
  CHECK(exponential(-1e30F) == 0);
  CHECK(std::isinf(exponential(1e30F)));
  CHECK(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

TEST_CASE("a row that is not a number gives no numbers") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  const FloatMatrix bases = rows_of(70, 5, 1);
  FloatMatrix rows = rows_of(2, 5, 2);
  rows.view().row(1)[3] = std::numeric_limits<float>::quiet_NaN();
  const DeviceBases on_device(device, 70, 5, fetch_from(bases), context);
  for (const PairSum sum : {PairSum::product, PairSum::squared_difference}) {
    const FloatMatrix out = compared(on_device, {sum}, rows, 0, 70, context);
    for (std::size_t j = 0; j < 70; ++j) {
      CHECK(std::isfinite(out.view().row(0)[j]));
      CHECK(std::isnan(out.view().row(1)[j]));
    }
  }
}

TEST_CASE("a value depends on its two rows alone") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  const FloatMatrix bases = rows_of(300, 33, 1), rows = rows_of(200, 33, 2);
  const DeviceBases on_device(device, 300, 33, fetch_from(bases), context);
  const PairMeasure measure{PairSum::squared_difference, Finish::exponential, -0.01};
  const FloatMatrix all = compared(on_device, measure, rows, 0, 300, context);
  for (const auto& [row, first, count] :
       std::vector<std::array<std::size_t, 3>>{{0, 0, 1}, {130, 7, 200}, {199, 299, 1}}) {
    FloatMatrix one(1, count);
    on_device.compare(measure, rows.view().rows_range(row, 1), first, one.view(), context);
    CHECK(std::equal(one.values.begin(), one.values.end(), all.view().row(row) + first));
  }
}

TEST_CASE("bases that do not fit are copied for each block, with the same results") {
  const std::size_t cols = 5000, count = 8000;  // 160 MB, in three panels of 64 MiB
  const FloatMatrix rows = rows_of(1, cols, 2);
  FloatMatrix bases(count, cols);
  Random random(1);
  for (float& value : bases.values) value = static_cast<float>(random.uniform());
  ModelDevice large, small((std::size_t{1} << 30) + (std::size_t{150} << 20));
  add_row_pairs(large);
  add_row_pairs(small);
  DeviceContext in_large(large), in_small(small);
  const DeviceBases whole(large, count, cols, fetch_from(bases), in_large),
      partly(small, count, cols, fetch_from(bases), in_small);
  CHECK(whole.resident() == count);
  CHECK(partly.resident() > 0);
  CHECK(partly.resident() < count);
  CHECK(in_large.lines.empty());
  REQUIRE(in_small.lines.size() == 1);
  CHECK(in_small.lines[0].find("has memory for") != std::string::npos);
  const auto expected = compared(whole, {}, rows, 3000, 4999, in_large);
  CHECK(compared(partly, {}, rows, 3000, 4999, in_small).values == expected.values);
}

TEST_CASE("a full device gets smaller blocks, and at last a message") {
  const FloatMatrix bases = rows_of(100, 64, 1), rows = rows_of(3000, 64, 2);
  ModelDevice device((std::size_t{1} << 30) + (std::size_t{1} << 20));
  add_row_pairs(device);
  DeviceContext context(device);
  const DeviceBases on_device(device, 100, 64, fetch_from(bases), context);
  const FloatMatrix all = compared(on_device, {}, rows, 0, 100, context);
  {
    const auto others = device.allocate(device.free_memory() - 500000);
    const std::size_t before = device.started;
    CHECK(compared(on_device, {}, rows, 0, 100, context).values == all.values);
    CHECK(device.started > before + 2);
  }
  const auto others = device.allocate(device.free_memory() - 500);
  CHECK_THROWS_AS(compared(on_device, {}, rows, 0, 100, context), MemoryError);
}

TEST_CASE("a GPU computes the bits of the model") {
  Device* const device = real_device();
  if (!device) return;
  ModelDevice model;
  add_row_pairs(model);
  DeviceContext on_model(model), on_gpu(*device);
  for (const auto& [bases_count, rows_count, cols] :
       std::vector<std::array<std::size_t, 3>>{{130, 129, 37}, {1, 1, 1}, {300, 200, 2100}}) {
    const FloatMatrix bases = rows_of(bases_count, cols, 1), rows = rows_of(rows_count, cols, 2);
    const DeviceBases expected(model, bases.rows, cols, fetch_from(bases), on_model),
        there(*device, bases.rows, cols, fetch_from(bases), on_gpu);
    for (const PairMeasure& measure :
         {PairMeasure{PairSum::product}, PairMeasure{PairSum::squared_difference},
          PairMeasure{PairSum::squared_difference, Finish::exponential, -0.03},
          PairMeasure{PairSum::product, Finish::power, 0.5, 1, 3}}) {
      const FloatMatrix a = compared(expected, measure, rows, 0, bases_count, on_model),
                        b = compared(there, measure, rows, 0, bases_count, on_gpu);
      CHECK(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("a stop request ends a comparison") {
  ModelDevice device;
  add_row_pairs(device);
  DeviceContext context(device);
  const FloatMatrix bases = rows_of(100, 64, 1), rows = rows_of(3, 64, 2);
  const DeviceBases on_device(device, 100, 64, fetch_from(bases), context);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(compared(on_device, {}, rows, 0, 100, context), Cancelled);
}

}  // namespace
}  // namespace semblance::gpu::device_bases_test
