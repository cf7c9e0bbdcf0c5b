// SPDX-License-Identifier: MIT
#include "learned_metric/metric_lanes.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learned_metric/metric_lanes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::normalizers::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Lanes>;

/// Vectors of sums, or outputs, in registers at a time.
constexpr std::size_t at_once = 4, most_outputs = 8;

void absolute_distances(const double* rows, std::size_t count, const double* columns,
                        std::size_t stride, std::size_t bases, std::size_t cols, double* out,
                        std::size_t out_stride) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d), step = at_once * lanes;
  for (std::size_t first = 0; first < bases; first += step)
    for (std::size_t i = 0; i < count; ++i) {
      Vec sums[at_once];
      for (Vec& sum : sums) sum = hn::Zero(d);
      for (std::size_t c = 0; c < cols; ++c) {
        const Vec own = hn::Set(d, rows[i * cols + c]);
        const double* const q = columns + c * stride + first;
        for (std::size_t v = 0; v < at_once; ++v)
          sums[v] = hn::Add(sums[v], hn::Abs(hn::Sub(own, hn::LoadU(d, q + v * lanes))));
      }
      double found[distance_lanes];
      for (std::size_t v = 0; v < at_once; ++v) hn::StoreU(sums[v], d, found + v * lanes);
      std::copy_n(found, std::min(step, bases - first), out + i * out_stride + first);
    }
}

/// For two vectors of columns, of which the first `columns` count.
template <std::size_t outputs>
void add_column_signs(const double* weights, const double* p, const double* bases,
                      std::size_t count, std::size_t cols, std::size_t columns, double* gradients) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  double values[lanes_behind] = {};
  std::copy_n(p, columns, values);
  const Vec own[2] = {hn::LoadU(d, values), hn::LoadU(d, values + lanes)};
  Vec sums[outputs][2];
  for (std::size_t k = 0; k < outputs; ++k) {
    std::copy_n(gradients + k * cols, columns, values);
    for (std::size_t v = 0; v < 2; ++v) sums[k][v] = hn::LoadU(d, values + v * lanes);
  }
  const Vec one = hn::Set(d, 1.0), minus = hn::Set(d, -1.0);
  for (std::size_t j = 0; j < count; ++j) {
    Vec signs[2];
    for (std::size_t v = 0; v < 2; ++v) {
      const Vec q = hn::LoadU(d, bases + j * cols + v * lanes);
      signs[v] =
          hn::IfThenElse(hn::Gt(own[v], q), one, hn::IfThenElseZero(hn::Lt(own[v], q), minus));
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      const Vec weight = hn::Set(d, weights[k * count + j]);
      for (std::size_t v = 0; v < 2; ++v) sums[k][v] = hn::MulAdd(weight, signs[v], sums[k][v]);
    }
  }
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t v = 0; v < 2; ++v) hn::StoreU(sums[k][v], d, values + v * lanes);
    std::copy_n(values, columns, gradients + k * cols);
  }
}

/// For as many of the outputs as possible at a time.
template <std::size_t most = most_outputs>
void add_signs(const double* weights, std::size_t outputs, const double* p, const double* bases,
               std::size_t count, std::size_t cols, double* gradients) {
  const std::size_t step = 2 * hn::Lanes(Lanes());
  for (; outputs >= most; outputs -= most, weights += most * count, gradients += most * cols)
    for (std::size_t c = 0; c < cols; c += step)
      add_column_signs<most>(weights, p + c, bases + c, count, cols, std::min(step, cols - c),
                             gradients + c);
  if constexpr (most > 1) add_signs<most - 1>(weights, outputs, p, bases, count, cols, gradients);
}

void add_all_signs(const double* weights, std::size_t outputs, const double* p, const double* bases,
                   std::size_t count, std::size_t cols, double* gradients) {
  add_signs(weights, outputs, p, bases, count, cols, gradients);
}

}  // namespace
}  // namespace semblance::normalizers::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::normalizers {

HWY_EXPORT(absolute_distances);
HWY_EXPORT(add_all_signs);

void absolute_distances(const double* rows, std::size_t count, const double* columns,
                        std::size_t stride, std::size_t bases, std::size_t cols, double* out,
                        std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(absolute_distances)
  (rows, count, columns, stride, bases, cols, out, out_stride);
}

void add_signs(const double* weights, std::size_t outputs, const double* p, const double* bases,
               std::size_t count, std::size_t cols, double* gradients) {
  HWY_DYNAMIC_DISPATCH(add_all_signs)(weights, outputs, p, bases, count, cols, gradients);
}

}  // namespace semblance::normalizers
#endif  // HWY_ONCE
