// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "linear_svm_bench.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linear_svm_bench_peaks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Ten chains of multiply-adds; returns the operations done.
double multiply_adds(std::size_t repeats, float* sink) {
  const hn::ScalableTag<float> d;
  auto a = hn::Set(d, 1.0F), b = a, c = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a;
  const auto x = hn::Set(d, 0.999F), y = hn::Set(d, 1e-3F);
  for (std::size_t r = 0; r < repeats; ++r) {
    a = hn::MulAdd(a, x, y), b = hn::MulAdd(b, x, y), c = hn::MulAdd(c, x, y);
    e = hn::MulAdd(e, x, y), f = hn::MulAdd(f, x, y), g = hn::MulAdd(g, x, y);
    h = hn::MulAdd(h, x, y), i = hn::MulAdd(i, x, y), j = hn::MulAdd(j, x, y);
    k = hn::MulAdd(k, x, y);
  }
  const auto low = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(f, g));
  *sink = hn::GetLane(hn::Add(low, hn::Add(hn::Add(h, i), hn::Add(j, k))));
  return static_cast<double>(repeats) * 20 * static_cast<double>(hn::Lanes(d));
}

float sum(const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a;
  for (std::size_t i = 0; i + 4 * n <= count; i += 4 * n) {
    a = hn::Add(a, hn::LoadU(d, values + i));
    b = hn::Add(b, hn::LoadU(d, values + i + n));
    c = hn::Add(c, hn::LoadU(d, values + i + 2 * n));
    e = hn::Add(e, hn::LoadU(d, values + i + 3 * n));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

}  // namespace semblance::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::bench {
namespace {

HWY_EXPORT(multiply_adds);
HWY_EXPORT(sum);

/// The best of some runs: the machine may be shared.
template <class F>
double best_rate(const F& work) {
  double best = 0;
  for (int run = 0; run < 7; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    const double done = work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, done / seconds.count());
  }
  return best * 1e-9;
}

volatile float keep;

}  // namespace

double multiply_add_peak() {
  return best_rate([] {
    float sink = 0;
    const double done = HWY_DYNAMIC_DISPATCH(multiply_adds)(20'000'000, &sink);
    keep = sink;
    return done;
  });
}

double read_bandwidth() {
  const std::vector<float> values(std::size_t{128} << 20, 1.0F);
  return best_rate([&] {
    keep = HWY_DYNAMIC_DISPATCH(sum)(values.data(), values.size());
    return static_cast<double>(values.size() * sizeof(float));
  });
}

}  // namespace semblance::bench
#endif
