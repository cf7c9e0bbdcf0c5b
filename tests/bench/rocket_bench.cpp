// SPDX-License-Identifier: MIT
// Speed of the features of minirocket (one figure a bias) and multirocket (four) on one thread,
// against a plain loop over steps that the compiler is free to vectorize. Each round times both in
// turn, so that both see the same machine; the best round of each counts:
//
//     rocket_bench --benchmark_filter=four/500 --benchmark_min_time=5
//
// values_per_second is series x steps x features a second, as papers count; a combination that
// takes only the steps inside of a series counts as if it took all. The bound: a comparison and a
// masked addition a bias and step for one figure, six operations for four of them.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "rocket/minirocket_pooling.hpp"
#include "semblance/testing.hpp"

namespace semblance::series {
namespace {

// CPU time of this thread, so that other programs on the machine matter little.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(Work&& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

/// One bias, by its definition.
void pool_bias(RocketPooling pooling, std::span<const float> sums, float bias, float* out,
               std::size_t biases) {
  int count = 0, run = 0, longest = 0;
  float total = 0, places = 0;
  if (pooling == RocketPooling::proportion) {
    for (const float sum : sums) count += sum > bias;
  } else {
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const bool positive = sums[j] > bias;
      run = positive ? run + 1 : 0;
      longest = std::max(longest, run);
      if (positive) ++count, total += sums[j] - bias, places += float(j);
    }
    out[biases] = count > 0 ? total / float(count) : 0;
    out[2 * biases] = count > 0 ? places / float(count) : -1;
    out[3 * biases] = float(longest);
  }
  out[0] = float(count) / float(sums.size());
}

/// One series as in the papers: the common part of all kernels is summed once.
void pool_plainly(const RocketBank& bank, RocketPooling pooling, const SeriesView& series,
                  float* out) {
  const std::size_t steps = series.steps(), border = std::size_t{4} * bank.dilations.back();
  std::vector<float> padded(steps + 2 * border), common(steps), sums(steps);
  std::copy(series.values.begin(), series.values.end(), padded.begin() + std::ptrdiff_t(border));
  std::size_t b = 0;
  for (std::size_t d = 0; d < bank.dilations.size(); ++d) {
    const std::size_t dilation = bank.dilations[d];
    const float* x = padded.data() + border - 4 * dilation;
    for (std::size_t j = 0; j < steps; ++j) {
      float all = 0;
      for (std::size_t k = 0; k < rocket_kernel_length; ++k) all += x[j + k * dilation];
      common[j] = -all;
    }
    for (std::size_t k = 0; k < rocket_kernel_count; ++k) {
      const auto& places = rocket_kernels()[k];
      const float* taps[] = {x + places[0] * dilation, x + places[1] * dilation,
                             x + places[2] * dilation};
      for (std::size_t j = 0; j < steps; ++j)
        sums[j] = common[j] + 3 * (taps[0][j] + taps[1][j] + taps[2][j]);
      const std::size_t outside = RocketBank::inside_only(d, k) ? 4 * dilation : 0;
      const auto taken = std::span<const float>(sums).subspan(outside, steps - 2 * outside);
      for (std::size_t n = 0; n < bank.biases_each[d]; ++n, ++b)
        pool_bias(pooling, taken, bank.biases[b], out + b, bank.biases.size());
    }
  }
}

void pool(benchmark::State& state, RocketPooling pooling) {
  constexpr std::size_t count = 64, plain = 4;
  const auto steps = static_cast<std::size_t>(state.range(0));
  Random random(1);
  FloatMatrix series(count, steps);
  for (float& x : series.values) x = static_cast<float>(random.normal());
  std::vector<SeriesView> views;
  for (std::size_t i = 0; i < count; ++i) views.push_back({series.view().row_span(i), 1});
  RocketTraining training{count, steps, 1, [&](std::size_t row) {
                            const auto values = series.view().row_span(row);
                            return std::vector<float>(values.begin(), values.end());
                          }};
  testing::TestContext context(1);
  const RocketBank bank =
      learn_bank(training, pooling == RocketPooling::four ? 74 : 119, random, context);
  FloatMatrix fast(count, rocket_columns(bank, pooling)), slow(plain, fast.cols);

  double best = std::numeric_limits<double>::infinity(), best_plain = best;
  for (auto _ : state) {
    best = std::min(best,
                    seconds([&] { pool_series(bank, pooling, false, views, fast.view(), [] {}); }));
    best_plain = std::min(best_plain, seconds([&] {
                            for (std::size_t i = 0; i < plain; ++i)
                              pool_plainly(bank, pooling, views[i], slow.view().row(i));
                          }));
  }
  const double values = double(steps) * double(fast.cols);
  state.counters["values_per_second"] = double(count) * values / best;
  state.counters["plain_values_per_second"] = double(plain) * values / best_plain;
  state.counters["times_plain"] = (best_plain / plain) / (best / count);
}

BENCHMARK_CAPTURE(pool, one, RocketPooling::proportion)->Arg(24)->Arg(150)->Arg(500)->Arg(2000);
BENCHMARK_CAPTURE(pool, four, RocketPooling::four)->Arg(24)->Arg(150)->Arg(500)->Arg(2000);

}  // namespace
}  // namespace semblance::series

BENCHMARK_MAIN();
