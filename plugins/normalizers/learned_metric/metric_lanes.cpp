// SPDX-License-Identifier: MIT
#include "learned_metric/metric_lanes.hpp"

#include <cmath>

// Plain loops, compiled for every instruction set and vectorized by the compiler, which may not
// change the order of sums. So all machines get the same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learned_metric/metric_lanes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::normalizers::HWY_NAMESPACE {
namespace {

constexpr std::size_t lanes = 8;

void absolute_distances(const double* HWY_RESTRICT p, const double* HWY_RESTRICT rows,
                        std::size_t count, std::size_t cols, double* HWY_RESTRICT out) {
  for (std::size_t j = 0; j < count; ++j) {
    const double* q = rows + j * cols;
    double lane[lanes] = {};
    std::size_t c = 0;
    for (; c + lanes <= cols; c += lanes)
      for (std::size_t l = 0; l < lanes; ++l) lane[l] += std::abs(p[c + l] - q[c + l]);
    for (std::size_t l = 0; c + l < cols; ++l) lane[l] += std::abs(p[c + l] - q[c + l]);
    out[j] =
        ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
}

void add_signs(const double* HWY_RESTRICT weights, const double* HWY_RESTRICT p,
               const double* HWY_RESTRICT rows, std::size_t count, std::size_t cols,
               double* HWY_RESTRICT gradient) {
  for (std::size_t j = 0; j < count; ++j) {
    const double* q = rows + j * cols;
    const double w = weights[j];
    for (std::size_t c = 0; c < cols; ++c)
      gradient[c] += (p[c] > q[c] ? w : 0) - (p[c] < q[c] ? w : 0);
  }
}

}  // namespace
}  // namespace semblance::normalizers::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::normalizers {

HWY_EXPORT(absolute_distances);
HWY_EXPORT(add_signs);

void absolute_distances(const double* p, const double* rows, std::size_t count, std::size_t cols,
                        double* out) {
  HWY_DYNAMIC_DISPATCH(absolute_distances)(p, rows, count, cols, out);
}

void add_signs(const double* weights, const double* p, const double* rows, std::size_t count,
               std::size_t cols, double* gradient) {
  HWY_DYNAMIC_DISPATCH(add_signs)(weights, p, rows, count, cols, gradient);
}

}  // namespace semblance::normalizers
#endif  // HWY_ONCE
