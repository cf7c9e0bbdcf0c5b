// SPDX-License-Identifier: MIT
// Speed of the figures of hydra on one thread, against a plain loop over steps and kernels that the
// compiler is free to vectorize. Each round times both in turn, so that both see the same machine;
// the best round of each counts:
//
//     hydra_bench --benchmark_filter=500 --benchmark_min_time=5
//
// multiply_add_ns is the time of everything, winners and losers too, divided by the multiply-adds
// of the responses: 9 per kernel and step.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "rocket/hydra_counts.hpp"
#include "semblance/testing.hpp"

namespace semblance::series {
namespace {

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

/// One series by the definition: the responses of a kernel at all steps, then the winners.
void count_plainly(const HydraBank& bank, std::span<const float> series, float* out) {
  std::vector<float> values, responses;
  for (std::size_t d = 0; d < bank.dilations.size(); ++d)
    for (const bool difference : {false, true}) {
      const std::size_t steps = series.size() - (difference ? 1 : 0), apart = bank.dilations[d];
      values.assign(steps + 8 * apart, 0.0f);
      for (std::size_t t = 0; t < steps; ++t)
        values[4 * apart + t] = difference ? series[t + 1] - series[t] : series[t];
      responses.resize(steps * hydra_kernels);
      for (std::size_t g = 0; g < bank.groups; ++g) {
        const auto weights = bank.weights_of(bank.group_number(d, difference, g));
        for (std::size_t k = 0; k < hydra_kernels; ++k)
          for (std::size_t j = 0; j < steps; ++j) {
            float sum = 0;
            for (std::size_t t = 0; t < hydra_taps; ++t)
              sum += weights[t * hydra_kernels + k] * values[j + t * apart];
            responses[k * steps + j] = sum;
          }
        float* sums = out + (2 * bank.group_number(d, difference, 0) + g) * hydra_kernels;
        float* losses = sums + bank.groups * hydra_kernels;
        std::fill_n(sums, hydra_kernels, 0.0f);
        std::fill_n(losses, hydra_kernels, 0.0f);
        for (std::size_t j = 0; j < steps; ++j) {
          std::size_t best = 0, worst = 0;
          for (std::size_t k = 1; k < hydra_kernels; ++k) {
            if (responses[k * steps + j] > responses[best * steps + j]) best = k;
            if (responses[k * steps + j] < responses[worst * steps + j]) worst = k;
          }
          sums[best] += responses[best * steps + j];
          ++losses[worst];
        }
      }
    }
}

void count(benchmark::State& state) {
  constexpr std::size_t count = 64, plain = 4;
  const auto steps = static_cast<std::size_t>(state.range(0));
  Random random(1);
  FloatMatrix series(count, steps);
  for (float& x : series.values) x = static_cast<float>(random.normal());
  std::vector<SeriesView> views;
  for (std::size_t i = 0; i < count; ++i) views.push_back({series.view().row_span(i), 1});
  HydraBank bank = hydra_layout(steps, 1, 32);
  draw_hydra_weights(bank, random);
  FloatMatrix fast(count, bank.columns()), slow(plain, bank.columns());

  double best = std::numeric_limits<double>::infinity(), best_plain = best;
  for (auto _ : state) {
    best = std::min(best, seconds([&] { count_winners(bank, views, fast.view(), [] {}); }));
    best_plain = std::min(best_plain, seconds([&] {
                            for (std::size_t i = 0; i < plain; ++i)
                              count_plainly(bank, series.view().row_span(i), slow.view().row(i));
                          }));
  }
  const double products = double(steps) * double(bank.group_count() * hydra_kernels * hydra_taps);
  state.counters["multiply_add_ns"] = 1e9 * best / double(count) / products;
  state.counters["plain_multiply_add_ns"] = 1e9 * best_plain / double(plain) / products;
  state.counters["times_plain"] = (best_plain / plain) / (best / count);
  state.counters["series_per_second"] = double(count) / best;
}

BENCHMARK(count)->Arg(24)->Arg(150)->Arg(500)->Arg(2000);

}  // namespace
}  // namespace semblance::series

BENCHMARK_MAIN();
