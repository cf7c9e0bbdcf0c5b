// SPDX-License-Identifier: MIT
// Speed of the distances from random dilated shapelets on one thread, against a plain loop over
// windows that the compiler is free to vectorize, and against the most that the arithmetic could
// do. Each round times all in turn, so that all see the same machine; the best round of each
// counts:
//
//     rdst_bench --benchmark_filter=500 --benchmark_min_time=5
//
// difference_ns is the time of everything (normalized windows, least distances, places and counts)
// divided by the absolute differences: one per value, window and shapelet. limit_share is the time
// of as many subtractions, absolute values and additions in registers, over that time.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "semblance/testing.hpp"
#include "semblance_numerics/simd_targets.hpp"
#include "shapelets/shapelet_bank.hpp"
#include "shapelets/shapelet_distances.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rdst_bench.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

/// `count` absolute differences or a few more, added up in registers; returns what they add up to.
double only_arithmetic(std::size_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> f;
  constexpr std::size_t sums = 16;
  hn::Vec<hn::ScalableTag<float>> sum[sums];
  for (auto& s : sum) s = hn::Zero(f);
  const auto x = hn::Iota(f, 1.0f);
  for (std::size_t done = 0; done < count; done += sums * hn::Lanes(f)) {
    for (auto& s : sum) s = hn::Add(s, hn::Abs(hn::Sub(x, s)));
  }
  auto all = sum[0];
  for (std::size_t i = 1; i < sums; ++i) all = hn::Add(all, sum[i]);
  return hn::GetLane(hn::SumOfLanes(f, all));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {
namespace {

HWY_EXPORT(only_arithmetic);

// CPU time of this thread, so that other programs on the machine matter little.
template <class Work>
double seconds(Work&& work) {
  timespec begin{}, end{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  work();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) +
         1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

/// One series by the definition; normalized windows are shared by the shapelets of a dilation.
void compare_plainly(const ShapeletBank& bank, std::span<const float> series, float* out) {
  std::vector<float> windows;
  for (std::size_t i = 0; i < bank.count(); ++i, out += 3) {
    const std::size_t length = bank.length, apart = bank.dilations[i],
                      count = series.size() - (length - 1) * apart;
    if (i == 0 || bank.dilations[i - 1] != apart || bank.normalized[i - 1] != bank.normalized[i]) {
      windows.resize(count * length);
      for (std::size_t p = 0; p < count; ++p)
        if (bank.normalized[i] != 0)
          normalize_window(&series[p], apart, length, &windows[p * length]);
        else
          for (std::size_t t = 0; t < length; ++t) windows[p * length + t] = series[p + t * apart];
    }
    const auto values = bank.values_of(i);
    float least = std::numeric_limits<float>::infinity(), place = 0, near = 0;
    for (std::size_t p = 0; p < count; ++p) {
      float sum = 0;
      for (std::size_t t = 0; t < length; ++t) sum += std::abs(windows[p * length + t] - values[t]);
      if (sum < least) least = sum, place = static_cast<float>(p);
      if (sum < bank.thresholds[i]) ++near;
    }
    out[0] = least, out[1] = place, out[2] = near;
  }
}

void compare(benchmark::State& state) {
  constexpr std::size_t count = 16, shapelets = 10000;
  const auto steps = static_cast<std::size_t>(state.range(0));
  Random random(1);
  FloatMatrix series(count, steps);
  for (float& x : series.values) x = static_cast<float>(random.normal());
  std::vector<SeriesView> views;
  for (std::size_t i = 0; i < count; ++i) views.push_back({series.view().row_span(i), 1});
  const std::vector<std::int32_t> labels(count, 0);
  const ShapeletTraining training{1, std::vector<std::size_t>(count, steps), labels,
                                  [&](std::size_t row) {
                                    const auto values = series.view().row_span(row);
                                    return std::vector<float>(values.begin(), values.end());
                                  }};
  testing::TestContext context(1);
  const ShapeletBank bank = draw_shapelets({shapelets, 11, 0.8, 0.5}, training, random, context);
  FloatMatrix fast(count, bank.columns()), slow(1, bank.columns());

  double differences = 0;
  for (const std::uint32_t dilation : bank.dilations)
    differences += double(bank.length * (steps - (bank.length - 1) * dilation));
  double best = std::numeric_limits<double>::infinity(), best_plain = best, least = best;
  for (auto _ : state) {
    best = std::min(
        best, seconds([&] { compare_with_shapelets(bank, views, fast.view(), [] {}); }) / count);
    best_plain = std::min(
        best_plain, seconds([&] { compare_plainly(bank, views[0].values, slow.view().row(0)); }));
    least = std::min(least, seconds([&] {
                       benchmark::DoNotOptimize(HWY_DYNAMIC_DISPATCH(only_arithmetic)(
                           static_cast<std::size_t>(differences)));
                     }));
  }
  state.counters["difference_ns"] = 1e9 * best / differences;
  state.counters["limit_share"] = least / best;
  state.counters["times_plain"] = best_plain / best;
  state.counters["series_per_second"] = 1 / best;
}

BENCHMARK(compare)->Arg(24)->Arg(150)->Arg(500)->Arg(2000);

}  // namespace
}  // namespace semblance::series

BENCHMARK_MAIN();
#endif
