// SPDX-License-Identifier: MIT
#include "device_series.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "elastic_pairs_testing.hpp"
#include "programs.hpp"
#include "real_device_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"

namespace semblance::gpu::device_series_test {
namespace {

using Series = std::vector<std::vector<float>>;  // prepared steps, one step after the other

Series random_series(std::size_t count, std::size_t least, std::size_t most, std::uint64_t seed) {
  Random random(seed);
  Series series(count);
  for (auto& values : series) {
    values.resize(least + random.below(most + 1 - least));
    for (float& value : values) value = static_cast<float>(random.normal());
  }
  return series;
}

PreparedSeries prepared(const Series& series, std::size_t planes) {
  return {series.size(), [&series, planes](std::size_t k) { return series[k].size() / planes; },
          [&series](std::size_t k, float* values) {
            std::copy(series[k].begin(), series[k].end(), values);
          }};
}

constexpr std::size_t longest = 140;

/// A measure, how its steps are prepared, and its definition: the cost of the three ways to a cell.
struct Example {
  ElasticMeasure measure;
  std::function<std::vector<float>(const std::vector<float>&, bool base)> prepare;
  struct Ways {
    double above, diagonal, left;
  };
  /// Of steps i of x and j of b; -1 is before the first.
  std::function<Ways(const std::vector<float>& x, int i, const std::vector<float>& b, int j)> ways;
  bool border = false;  ///< whether paths lead along the border
};

double before(const std::vector<float>& series, int t) {
  return t < 0 ? 0.0 : double{series[static_cast<std::size_t>(t)]};
}

std::vector<float> weights_of(const std::function<double(double)>& f, std::size_t most = longest) {
  std::vector<float> weights;
  const int count = static_cast<int>(most);
  for (int k = -count; k <= count; ++k) weights.push_back(static_cast<float>(f(std::abs(k))));
  return weights;
}

std::vector<float> values_alone(const std::vector<float>& series, bool) { return series; }

Example dtw_example() {
  return {
      {&elastic_dtw_program, "dtw"}, values_alone, [](const auto& x, int i, const auto& b, int j) {
        const double cost = std::pow(before(x, i) - before(b, j), 2);
        return Example::Ways{cost, cost, cost};
      }};
}

Example wdtw_example() {
  static const auto weight = [](double k) { return 1 / (1 + std::exp(0.05 * (50 - k))); };
  static const std::vector<float> weights = weights_of(weight);
  return {{&elastic_wdtw_program, "wdtw", 1, 0, weights},
          values_alone,
          [](const auto& x, int i, const auto& b, int j) {
            const double cost = std::pow(before(x, i) - before(b, j), 2) * weight(std::abs(i - j));
            return Example::Ways{cost, cost, cost};
          }};
}

Example erp_example() {
  const auto prepare = [](const std::vector<float>& series, bool) {
    std::vector<float> steps;
    double sum = 0;
    for (const float x : series) {
      sum += std::abs(double{x} - 0.5);
      steps.insert(steps.end(), {x, std::abs(x - 0.5F), static_cast<float>(sum)});
    }
    return steps;
  };
  return {{&elastic_erp_program, "erp", 3},
          prepare,
          [](const auto& x, int i, const auto& b, int j) {
            return Example::Ways{std::abs(before(x, i) - 0.5),
                                 std::abs(before(x, i) - before(b, j)),
                                 std::abs(before(b, j) - 0.5)};
          },
          true};
}

Example msm_example() {
  const auto prepare = [](const std::vector<float>& series, bool base) {
    std::vector<float> steps;
    for (std::size_t t = 0; t < series.size(); ++t) {
      const float move = t == 0 ? 0 : series[t] - series[t - 1];
      const float low = std::min(move, 0.0F), high = std::max(move, 0.0F);
      steps.insert(steps.end(), {series[t], base ? -high : low, base ? -low : high});
    }
    return steps;
  };
  const auto split = [](double step, double last, double other) {
    const bool between = (last <= step && step <= other) || (other <= step && step <= last);
    return 0.3 + (between ? 0 : std::min(std::abs(step - last), std::abs(step - other)));
  };
  return {{&elastic_msm_program, "msm", 3, 0.3},
          prepare,
          [split](const auto& x, int i, const auto& b, int j) {
            return Example::Ways{split(before(x, i), before(x, i - 1), before(b, j)),
                                 std::abs(before(x, i) - before(b, j)),
                                 split(before(b, j), before(b, j - 1), before(x, i))};
          }};
}

Example twe_example() {
  static const std::vector<float> weights = weights_of([](double k) { return 2 * 0.01 * k; });
  const auto prepare = [](const std::vector<float>& series, bool) {
    std::vector<float> steps;
    for (std::size_t t = 0; t < series.size(); ++t)
      steps.insert(steps.end(),
                   {series[t], std::abs(series[t] - (t > 0 ? series[t - 1] : 0)) + 0.01F + 0.2F});
    return steps;
  };
  return {{&elastic_twe_program, "twe", 2, 0, weights},
          prepare,
          [](const auto& x, int i, const auto& b, int j) {
            return Example::Ways{std::abs(before(x, i) - before(x, i - 1)) + 0.21,
                                 std::abs(before(x, i) - before(b, j)) +
                                     std::abs(before(x, i - 1) - before(b, j - 1)) +
                                     2 * 0.01 * std::abs(i - j),
                                 std::abs(before(b, j) - before(b, j - 1)) + 0.21};
          }};
}

Example edr_example() {
  return {{&elastic_edr_program, "edr", 1, 0.25},
          values_alone,
          [](const auto& x, int i, const auto& b, int j) {
            const double x_i = before(x, i), b_j = before(b, j);
            const bool match = std::abs(static_cast<float>(x_i) - static_cast<float>(b_j)) <= 0.25F;
            return Example::Ways{1, match ? 0.0 : 1.0, 1};
          },
          true};
}

std::vector<Example> examples() {
  return {dtw_example(), wdtw_example(), erp_example(),
          msm_example(), twe_example(),  edr_example()};
}

bool inside(double window, int i, int j, int rows, int columns) {
  if (window >= 100) return true;
  const double longer = std::max(rows, columns), shorter = std::min(rows, columns);
  const double off = std::abs(double(i) * (columns - 1) - double(j) * (rows - 1));
  return off <= std::max(std::ceil(window / 100 * longer - 1e-9) * (shorter - 1), (longer - 1) / 2);
}

/// The definition in double precision: cells of all pairs of steps, -1 first.
double defined(const Example& example, const std::vector<float>& x, const std::vector<float>& b) {
  const int rows = static_cast<int>(x.size()), columns = static_cast<int>(b.size());
  const auto width = static_cast<std::size_t>(columns) + 1;
  std::vector<double> cells((x.size() + 1) * width, std::numeric_limits<double>::infinity());
  const auto cell = [&](int i, int j) -> double& {
    return cells[static_cast<std::size_t>(i + 1) * width + static_cast<std::size_t>(j + 1)];
  };
  cell(-1, -1) = 0;
  const double window = example.measure.window;
  for (int i = 0; i < rows && example.border; ++i)
    cell(i, -1) = cell(i - 1, -1) + example.ways(x, i, b, -1).above;
  for (int j = 0; j < columns && example.border; ++j)
    cell(-1, j) = cell(-1, j - 1) + example.ways(x, -1, b, j).left;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      if (!inside(window, i, j, rows, columns)) continue;
      const Example::Ways ways = example.ways(x, i, b, j);
      cell(i, j) = std::min({cell(i - 1, j) + ways.above, cell(i - 1, j - 1) + ways.diagonal,
                             cell(i, j - 1) + ways.left});
    }
  return cell(rows - 1, columns - 1);
}

double matched(const Example& example, const std::vector<float>& x, const std::vector<float>& b) {
  const int rows = static_cast<int>(x.size()), columns = static_cast<int>(b.size());
  std::vector<double> row(b.size() + 1), next(b.size() + 1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const bool match = inside(example.measure.window, i, j, rows, columns) &&
                         std::abs(x[static_cast<std::size_t>(i)] - b[k]) <= 0.25F;
      next[k + 1] = std::max({row[k + 1], next[k], match ? row[k] + 1 : 0.0});
    }
    row = next;
  }
  return row.back();
}

Series prepared_steps(const Example& example, const Series& series, bool base) {
  Series steps;
  for (const auto& values : series) steps.push_back(example.prepare(values, base));
  return steps;
}

std::vector<double> compared(Device& device, const Example& example, const Series& samples,
                             const Series& bases, std::size_t most = longest) {
  DeviceContext context(device);
  const Series base_steps = prepared_steps(example, bases, true),
               sample_steps = prepared_steps(example, samples, false);
  const std::size_t planes = example.measure.planes;
  const DeviceSeries on_device(device, example.measure, prepared(base_steps, planes), most,
                               context);
  std::vector<double> sums(samples.size() * bases.size());
  on_device.compare(prepared(sample_steps, planes), 0, bases.size(), sums.data(), context);
  return sums;
}

/// The error in units of the bound that DeviceSeries states.
double error_of(double value, double expected, std::size_t steps) {
  if (!(value >= 0)) return std::numeric_limits<double>::infinity();
  const double bound = 4 * static_cast<double>(steps) * std::ldexp(1.0, -24) * expected;
  return std::abs(value - expected) / std::max(bound, 1e-30);
}

TEST_CASE("all costs are right for any lengths and windows") {
  ModelDevice device;
  add_elastic_pairs(device);
  struct Lengths {
    std::size_t least_base, most_base, least_sample, most_sample;
  };
  for (const Lengths& of : {Lengths{1, 40, 1, 40},
                            {33, 33, 33, 33},
                            {120, 140, 120, 140},
                            {1, 5, 100, 130},
                            {97, 130, 5, 9}}) {
    const Series bases = random_series(37, of.least_base, of.most_base, 1),
                 samples = random_series(6, of.least_sample, of.most_sample, 2);
    for (const double window : {0.0, 3.0, 10.0, 40.0, 100.0})
      for (Example& example : examples()) {
        example.measure.window = window;
        CAPTURE(example.measure.kernel);
        CAPTURE(window);
        const std::vector<double> sums = compared(device, example, samples, bases);
        for (std::size_t i = 0; i < samples.size(); ++i)
          for (std::size_t j = 0; j < bases.size(); ++j) {
            CAPTURE(samples[i].size());
            CAPTURE(bases[j].size());
            const double expected = defined(example, samples[i], bases[j]);
            REQUIRE(error_of(sums[i * bases.size() + j], expected,
                             samples[i].size() + bases[j].size()) <= 1);
          }
      }
  }
}

TEST_CASE("matches are counted exactly, inside of the window only") {
  ModelDevice device;
  add_elastic_pairs(device);
  const Series bases = random_series(37, 1, 130, 1), samples = random_series(9, 1, 130, 2);
  for (const double window : {0.0, 3.0, 10.0, 40.0, 100.0}) {
    Example example{{&elastic_lcss_program, "lcss", 1, 0.25, {}, window}, values_alone, {}};
    const std::vector<double> sums = compared(device, example, samples, bases);
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (std::size_t j = 0; j < bases.size(); ++j)
        REQUIRE(sums[i * bases.size() + j] == matched(example, samples[i], bases[j]));
  }
}

TEST_CASE("the longest series keep the bound") {
  ModelDevice device;
  add_elastic_pairs(device);
  constexpr std::size_t most = DeviceSeries::most_steps;
  const Series bases = {random_series(1, most, most, 1)[0], random_series(1, 1, 1, 2)[0]};
  const Series samples = {random_series(1, most, most, 3)[0], random_series(1, 4000, 4000, 4)[0],
                          random_series(1, 1, 1, 5)[0]};
  for (const double window : {1.0, 100.0}) {
    Example example = dtw_example();
    example.measure.window = window;
    const std::vector<double> sums = compared(device, example, samples, bases, most);
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (std::size_t j = 0; j < bases.size(); ++j)
        CHECK(error_of(sums[i * 2 + j], defined(example, samples[i], bases[j]),
                       samples[i].size() + bases[j].size()) <= 1);
  }
}

/// Examples of all kernels, without definitions: also of lcss and of steps with several channels.
std::vector<Example> all_kernels() {
  std::vector<Example> all = examples();
  all.push_back({{&elastic_lcss_program, "lcss", 1, 0.25}, values_alone, {}});
  for (Example example : std::vector<Example>(all)) {
    ElasticMeasure& measure = example.measure;
    const bool erp = measure.kernel == std::string("erp");
    const std::size_t channels = 3, planes = erp ? 5 : 4;
    measure.channels = channels;
    measure.planes = planes;
    example.prepare = [planes](const std::vector<float>& series, bool) {
      std::vector<float> steps;
      for (const float x : series)
        for (std::size_t p = 0; p < planes; ++p)
          steps.push_back(std::abs(x) / static_cast<float>(p + 1));
      return steps;
    };
    all.push_back(example);
  }
  return all;
}

TEST_CASE("a sum depends on its two series alone") {
  ModelDevice device;
  add_elastic_pairs(device);
  DeviceContext context(device);
  const Series series = random_series(100, 1, longest, 1),
               others = random_series(11, 1, longest, 2);
  for (Example& example : all_kernels()) {
    CAPTURE(example.measure.kernel);
    CAPTURE(example.measure.channels);
    example.measure.window = 20;
    const std::size_t planes = example.measure.planes;
    const std::vector<double> all = compared(device, example, others, series);
    const Series bases = prepared_steps(example, series, true),
                 samples = prepared_steps(example, others, false);
    const DeviceSeries on_device(device, example.measure, prepared(bases, planes), longest,
                                 context);
    for (const auto& [row, first, count] :
         std::vector<std::array<std::size_t, 3>>{{0, 0, 1}, {7, 7, 60}, {10, 99, 1}}) {
      std::vector<double> some(count, 1);  // results are added
      const Series one = {samples[row]};
      on_device.compare(prepared(one, planes), first, count, some.data(), context);
      for (std::size_t j = 0; j < count; ++j) {
        REQUIRE(std::isfinite(some[j]));
        REQUIRE(some[j] == 1 + all[row * series.size() + first + j]);
      }
    }
  }
}

TEST_CASE("a full device compares with fewer blocks, and at last ends with a message") {
  const Series bases = random_series(60, 100, longest, 1),
               samples = random_series(60, 100, longest, 2);
  ModelDevice device(std::size_t{1} << 30);
  add_elastic_pairs(device);
  DeviceContext context(device);
  const DeviceSeries on_device(device, {&elastic_dtw_program, "dtw"}, prepared(bases, 1), longest,
                               context);
  std::vector<double> all(60 * 60), again(60 * 60);
  on_device.compare(prepared(samples, 1), 0, 60, all.data(), context);
  {
    const auto others = device.allocate(device.free_memory() - 400000);
    on_device.compare(prepared(samples, 1), 0, 60, again.data(), context);
    CHECK(again == all);
  }
  const auto others = device.allocate(device.free_memory() - 1000);
  CHECK_THROWS_AS(on_device.compare(prepared(samples, 1), 0, 60, again.data(), context),
                  MemoryError);
}

TEST_CASE("a stop request ends a comparison of series") {
  ModelDevice device;
  add_elastic_pairs(device);
  DeviceContext context(device);
  const Series bases = random_series(20, 30, 30, 1);
  const DeviceSeries on_device(device, {&elastic_dtw_program, "dtw"}, prepared(bases, 1), 30,
                               context);
  std::vector<double> sums(20 * 20);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(on_device.compare(prepared(bases, 1), 0, 20, sums.data(), context), Cancelled);
}

TEST_CASE("a GPU computes the bits of the model, for all elastic measures") {
  Device* const device = real_device();
  if (!device) return;
  ModelDevice model;
  add_elastic_pairs(model);
  for (const auto& [least, most] : {std::array<std::size_t, 2>{1, longest}, {130, 130}}) {
    const Series bases = random_series(40, least, most, 1),
                 samples = random_series(6, least, most, 2);
    for (Example& example : all_kernels())
      for (const double window : {0.0, 10.0, 100.0}) {
        example.measure.window = window;
        CAPTURE(example.measure.kernel);
        CAPTURE(example.measure.channels);
        CAPTURE(window);
        CHECK(compared(*device, example, samples, bases) ==
              compared(model, example, samples, bases));
      }
  }
}

TEST_CASE("how fast a GPU compares series") {
  if (!std::getenv("SEMBLANCE_GPU_BENCH")) return;
  Device* const device = real_device();
  if (!device) return;
  DeviceContext context(*device, 8);
  const auto measure = [&](Example example, std::size_t steps, std::size_t samples_count,
                           std::size_t bases_count, double window) {
    const std::vector<float> weights = weights_of([](double k) { return k / 1e3; }, steps);
    example.measure.window = window;
    if (!example.measure.weights.empty()) example.measure.weights = weights;
    const std::size_t planes = example.measure.planes;
    const Series bases = prepared_steps(example, random_series(bases_count, steps, steps, 1), true),
                 samples =
                     prepared_steps(example, random_series(samples_count, steps, steps, 2), false);
    const DeviceSeries on_device(*device, example.measure, prepared(bases, planes), steps, context);
    std::vector<double> sums(samples_count * bases_count);
    // Blocks of 256 rows on several threads, as in a run.
    constexpr std::size_t rows = 256;
    double best = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 3; ++turn) {
      const auto begin = std::chrono::steady_clock::now();
      context.parallel_for(samples_count / rows, [&](std::size_t block) {
        const Series some(samples.begin() + std::ptrdiff_t(block * rows),
                          samples.begin() + std::ptrdiff_t((block + 1) * rows));
        on_device.compare(prepared(some, planes), 0, bases_count,
                          sums.data() + block * rows * bases_count, context);
      });
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      best = std::min(best, took.count());
    }
    const double cells = static_cast<double>(sums.size()) * double(steps) * double(steps);
    MESSAGE(device->name() << ": " << std::string(example.measure.kernel) << ", channels "
                           << example.measure.channels << ", " << samples_count << " x "
                           << bases_count << " series of " << steps << " steps, window " << window
                           << ": " << cells / best / 1e9 << " Gcell/s of all cells, " << best
                           << " s");
  };
  for (const Example& example : all_kernels()) measure(example, 512, 2048, 512, 100);
  measure(dtw_example(), 512, 4096, 1024, 10);
  measure(dtw_example(), 4096, 512, 256, 100);
  measure(dtw_example(), 128, 16384, 1024, 100);
  measure(dtw_example(), 1024, 4096, 20, 100);
}

}  // namespace
}  // namespace semblance::gpu::device_series_test
