// SPDX-License-Identifier: MIT
// Speed of the elastic measures of series on one thread: a plain scalar loop of the definition,
// compiled with -O3, and the lanes, in turn, so that both see the same machine; the best round of
// each counts:
//
//     elastic_bench --benchmark_filter=dtw --benchmark_min_time=2
//
// `cells` are cells of the whole table a second, windows included: a window that saves time shows
// more. `limit` is the share of what the core can do with two vector operations a cycle, for the
// operations that a cell of the measure takes.

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"

namespace semblance::series {
namespace {

using Values = testing::Parameters;
using Row = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();

// CPU time of this thread, so that other programs on the machine matter little.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(const Work& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

// Dependent additions take a cycle each.
double cycles_a_second() {
  constexpr std::size_t count = 20'000'000;
  double best = infinity;
  for (int round = 0; round < 5; ++round)
    best = std::min(best, seconds([] {
                      std::size_t sum = 0;
                      for (std::size_t i = 0; i < count; ++i) {
                        sum += i;
                        asm volatile("" : "+r"(sum));
                      }
                    }));
  return count / best;
}

double lanes_of_a_vector() {
  const std::int64_t targets = hwy::SupportedTargets();
  const bool avx512 = (targets & (HWY_AVX3 | HWY_AVX3_DL)) != 0;
  return avx512 ? 16 : (targets & HWY_AVX2) != 0 ? 8 : 4;
}

// A table of two rows; cell(i, j, above, diagonal, left) is what a cell computes.
template <class Border, class Cell>
float programme(const Row& x, const Row& b, const Border& border, const Cell& cell) {
  static thread_local std::vector<float> above, row;
  above.resize(b.size() + 1);
  row.resize(b.size() + 1);
  above[0] = 0;
  for (std::size_t j = 0; j < b.size(); ++j) above[j + 1] = border(above[j], b[j]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    row[0] = border(above[0], x[i]);
    for (std::size_t j = 0; j < b.size(); ++j)
      row[j + 1] = cell(i, j, above[j + 1], above[j], row[j]);
    std::swap(above, row);
  }
  return above[b.size()];
}

float nothing(float, float) { return infinity; }

float scalar_dtw(const Row& x, const Row& b) {
  return programme(x, b, nothing, [&](auto i, auto j, float above, float diagonal, float left) {
    const float difference = x[i] - b[j];
    return difference * difference + std::min(std::min(above, diagonal), left);
  });
}

float scalar_wdtw(const Row& x, const Row& b) {
  static const std::vector<float> weights(10'000, 0.5f);
  return programme(x, b, nothing, [&](auto i, auto j, float above, float diagonal, float left) {
    const float difference = x[i] - b[j];
    return weights[i > j ? i - j : j - i] * difference * difference +
           std::min(std::min(above, diagonal), left);
  });
}

float scalar_lcss(const Row& x, const Row& b) {
  return programme(
      x, b, [](float, float) { return 0.0f; },
      [&](auto i, auto j, float above, float diagonal, float left) {
        return std::abs(x[i] - b[j]) <= 0.25f ? diagonal + 1 : std::max(above, left);
      });
}

float scalar_edr(const Row& x, const Row& b) {
  return programme(
      x, b, [](float before, float) { return before + 1; },
      [&](auto i, auto j, float above, float diagonal, float left) {
        const float replaced = diagonal + (std::abs(x[i] - b[j]) <= 0.25f ? 0.0f : 1.0f);
        return std::min(replaced, std::min(above, left) + 1);
      });
}

float scalar_erp(const Row& x, const Row& b) {
  return programme(
      x, b, [](float before, float value) { return before + std::abs(value); },
      [&](auto i, auto j, float above, float diagonal, float left) {
        return std::min(diagonal + std::abs(x[i] - b[j]),
                        std::min(above + std::abs(x[i]), left + std::abs(b[j])));
      });
}

float split(float value, float previous, float other) {
  if ((previous <= value && value <= other) || (previous >= value && value >= other)) return 1;
  return 1 + std::min(std::abs(value - previous), std::abs(value - other));
}

float scalar_msm(const Row& x, const Row& b) {
  return programme(x, b, nothing, [&](auto i, auto j, float above, float diagonal, float left) {
    const float up = above + split(x[i], i > 0 ? x[i - 1] : 0, b[j]);
    const float over = left + split(b[j], j > 0 ? b[j - 1] : 0, x[i]);
    return std::min(diagonal + std::abs(x[i] - b[j]), std::min(up, over));
  });
}

float scalar_twe(const Row& x, const Row& b) {
  return programme(x, b, nothing, [&](auto i, auto j, float above, float diagonal, float left) {
    const float x0 = i > 0 ? x[i - 1] : 0, b0 = j > 0 ? b[j - 1] : 0;
    const float apart = static_cast<float>(i > j ? i - j : j - i);
    const float match = std::abs(x[i] - b[j]) + std::abs(x0 - b0) + 0.002f * apart;
    return std::min(diagonal + match, std::min(above + std::abs(x[i] - x0) + 1.001f,
                                               left + std::abs(b[j] - b0) + 1.001f));
  });
}

// In the log domain, as most software has it.
float log_sum(float a, float b, float c) {
  const float most = std::max(std::max(a, b), c);
  return most + std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most));
}

float scalar_soft_dtw(const Row& x, const Row& b) {
  return -programme(
      x, b, [](float, float) { return -1e30f; },
      [&](auto i, auto j, float above, float diagonal, float left) {
        const float difference = x[i] - b[j];
        return log_sum(above, diagonal, left) - difference * difference;
      });
}

float scalar_gak(const Row& x, const Row& b) {
  return programme(
      x, b, [](float, float) { return -1e30f; },
      [&](auto i, auto j, float above, float diagonal, float left) {
        const float difference = x[i] - b[j];
        const float g = -difference * difference / 200;
        return log_sum(above, diagonal, left) + g - std::log(2 - std::exp(g));
      });
}

float scalar_sbd(const Row& x, const Row& b) {
  const auto n = static_cast<std::ptrdiff_t>(x.size()), m = static_cast<std::ptrdiff_t>(b.size());
  float largest = -infinity;
  for (std::ptrdiff_t shift = 1 - n; shift < m; ++shift) {
    float sum = 0;
    const std::ptrdiff_t end = std::min(n, m - shift);
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -shift); i < end; ++i)
      sum += x[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i + shift)];
    largest = std::max(largest, sum);
  }
  return largest;
}

Row random_walk(std::size_t steps, Random& random) {
  Row row(steps);
  for (std::size_t t = 0; t < steps; ++t)
    row[t] = static_cast<float>((t > 0 ? 0.9 * double(row[t - 1]) : 0.0) + 0.4 * random.normal());
  return row;
}

FloatMatrix random_walks(std::size_t count, std::size_t steps, std::uint64_t seed) {
  const std::vector<std::size_t> sizes(count, steps);
  FloatMatrix rows = FloatMatrix::ragged(steps, sizes);
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(random_walk(steps, random), rows.view().row(i));
  return rows;
}

constexpr std::size_t base_count = 64;

void compare(const std::string& id, benchmark::State& state,
             float (*scalar)(const Row&, const Row&), double operations, Values values) {
  const auto steps = static_cast<std::size_t>(state.range(0));
  if (id != "similarity/gak") values.emplace_back("as", std::string("negative"));
  const double cells = static_cast<double>(steps * steps);
  const auto samples = static_cast<std::size_t>(std::clamp(2e9 / cells / base_count, 1.0, 64.0));
  const auto pairs = static_cast<std::size_t>(std::clamp(3e7 / cells, 1.0, 64.0));
  const FloatMatrix bases = random_walks(base_count, steps, 1);
  const FloatMatrix rows = random_walks(samples, steps, 2);
  const auto measure = testing::make_component<Similarity>(id, values);
  testing::TestContext context;
  measure->bind(Layout::sequence(steps, 1));
  measure->set_bases(bases.view(), std::vector<std::int64_t>(base_count), context);
  FloatMatrix results(samples, base_count);
  const Row x(rows.view().row(0), rows.view().row(0) + steps);
  double scalar_best = infinity, best = infinity;
  for (auto _ : state) {
    scalar_best = std::min(scalar_best, seconds([&] {
                             for (std::size_t j = 0; j < pairs; ++j) {
                               const auto b = bases.view().row_span(j);
                               benchmark::DoNotOptimize(scalar(x, Row(b.begin(), b.end())));
                             }
                           }));
    best = std::min(best, seconds([&] { measure->apply(rows.view(), results.view(), context); }));
  }
  using Counter = benchmark::Counter;
  const double rate = cells * static_cast<double>(samples * base_count) / best;
  const double scalar_rate = cells * static_cast<double>(pairs) / scalar_best;
  static const double clock = cycles_a_second();
  state.counters["cells"] = Counter(rate);
  state.counters["scalar"] = Counter(scalar_rate);
  state.counters["times"] = Counter(rate / scalar_rate);
  state.counters["limit"] = Counter(rate * operations / (2 * clock * lanes_of_a_vector()));
}

void add(const std::string& id, const char* name, float (*scalar)(const Row&, const Row&),
         double operations, const Values& values = {}) {
  benchmark::RegisterBenchmark(
      name, [=](benchmark::State& state) { compare(id, state, scalar, operations, values); })
      ->ArgName("steps")
      ->Arg(24)
      ->Arg(150)
      ->Arg(500)
      ->Arg(1460)
      ->Arg(2709)
      ->MinTime(0.5);
}

void add_all() {
  add("similarity/dtw", "dtw", scalar_dtw, 4);
  add("similarity/dtw", "dtw_window_10", scalar_dtw, 4, {{"window", 10.0}});
  add("similarity/wdtw", "wdtw", scalar_wdtw, 5);
  add("similarity/lcss", "lcss", scalar_lcss, 7);
  add("similarity/edr", "edr", scalar_edr, 8);
  add("similarity/erp", "erp", scalar_erp, 7);
  add("similarity/msm", "msm", scalar_msm, 14);
  add("similarity/twe", "twe", scalar_twe, 9);
  add("similarity/soft_dtw", "soft_dtw", scalar_soft_dtw, 25, {{"divergence", false}});
  add("similarity/gak", "gak", scalar_gak, 40, {{"sigma", std::string("10")}});
  add("similarity/sbd", "sbd", scalar_sbd, 1);
}

}  // namespace
}  // namespace semblance::series

int main(int argc, char** argv) {
  semblance::series::add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
