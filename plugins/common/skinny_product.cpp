// SPDX-License-Identifier: MIT
#include "skinny_product.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "skinny_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::common::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A tile holds 12 sums, or 24 with 32 vector registers (from AVX-512 on).
constexpr std::size_t tile_factor = HWY_TARGET <= HWY_AVX3 ? 2 : 1;
constexpr std::size_t chunk_vectors = 4;
constexpr std::size_t tile_width(std::size_t chunk) { return (chunk == 4 ? 3 : 4) * tile_factor; }
// Columns of one pass: a group of rows and the vectors fit into the first-level cache together.
constexpr std::size_t forward_cols = 256;
constexpr std::size_t backward_cols = 96;

template <class T>
HWY_INLINE auto load_x(hn::ScalableTag<T> d, const float* x) {
  if constexpr (sizeof(T) == sizeof(float))
    return hn::LoadU(d, x);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, hn::ScalableTag<T>>(), x));
}

template <class T>
HWY_INLINE auto load_x_tail(hn::ScalableTag<T> d, const float* x, std::size_t n) {
  const hn::Rebind<float, hn::ScalableTag<T>> df;
  const auto x_tail = hn::MaskedLoad(hn::FirstN(df, n), df, x);
  if constexpr (sizeof(T) == sizeof(float))
    return x_tail;
  else
    return hn::PromoteTo(d, x_tail);
}

/// Columns [first, first + cols) of some rows.
struct Panel {
  const float* const* data;
  std::size_t rows;
  std::size_t cols;
  std::size_t first;

  const float* row(std::size_t r) const { return data[r] + first; }
};

/// Adds x_r . v_c over `cols` columns to the vectors of partial sums in `part`. A partial sum is
/// computed the same way in tiles of every size.
template <class T, std::size_t R, std::size_t C>
HWY_INLINE void forward_tile(const Panel& x, const T* HWY_RESTRICT v, std::size_t v_stride,
                             T* HWY_RESTRICT part, std::size_t part_stride, bool first) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[R][C];
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t c = 0; c < C; ++c)
      sum[r][c] = first ? hn::Zero(d) : hn::LoadU(d, part + r * part_stride + c * lanes);
  const float* row[R];
  for (std::size_t r = 0; r < R; ++r) row[r] = x.row(r);
  // The shorter side of the tile stays in registers; the longer one is read operand by operand.
  std::size_t j = 0;
  for (; j + lanes <= x.cols; j += lanes) {
    if constexpr (C <= R) {
      hn::Vec<decltype(d)> b[C];
      for (std::size_t c = 0; c < C; ++c) b[c] = hn::LoadU(d, v + c * v_stride + j);
      for (std::size_t r = 0; r < R; ++r) {
        const auto a = load_x<T>(d, row[r] + j);
        for (std::size_t c = 0; c < C; ++c) sum[r][c] = hn::MulAdd(a, b[c], sum[r][c]);
      }
    } else {
      hn::Vec<decltype(d)> a[R];
      for (std::size_t r = 0; r < R; ++r) a[r] = load_x<T>(d, row[r] + j);
      for (std::size_t c = 0; c < C; ++c) {
        const auto b = hn::LoadU(d, v + c * v_stride + j);
        for (std::size_t r = 0; r < R; ++r) sum[r][c] = hn::MulAdd(a[r], b, sum[r][c]);
      }
    }
  }
  if (j < x.cols)
    for (std::size_t r = 0; r < R; ++r) {
      const auto a = load_x_tail<T>(d, row[r] + j, x.cols - j);
      for (std::size_t c = 0; c < C; ++c)
        sum[r][c] = hn::MulAdd(a, hn::LoadU(d, v + c * v_stride + j), sum[r][c]);
    }
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t c = 0; c < C; ++c)
      hn::StoreU(sum[r][c], d, part + r * part_stride + c * lanes);
}

template <class T, std::size_t C>
void forward_chunk(const Panel& x, const T* v, std::size_t v_stride, T* part,
                   std::size_t part_stride, bool first) {
  constexpr std::size_t R = tile_width(C);
  std::size_t r = 0;
  for (; r + R <= x.rows; r += R)
    forward_tile<T, R, C>({x.data + r, R, x.cols, x.first}, v, v_stride, part + r * part_stride,
                          part_stride, first);
  for (; r < x.rows; ++r)
    forward_tile<T, 1, C>({x.data + r, 1, x.cols, x.first}, v, v_stride, part + r * part_stride,
                          part_stride, first);
}

template <class T, std::size_t C, std::size_t J>
HWY_INLINE void backward_tile(const Panel& x, const T* HWY_RESTRICT z, std::size_t count,
                              T* HWY_RESTRICT g, std::size_t g_stride) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[C][J];
  for (std::size_t c = 0; c < C; ++c)
    for (std::size_t j = 0; j < J; ++j) sum[c][j] = hn::LoadU(d, g + c * g_stride + j * lanes);
  for (std::size_t r = 0; r < x.rows; ++r) {
    hn::Vec<decltype(d)> a[J];
    for (std::size_t j = 0; j < J; ++j) a[j] = load_x<T>(d, x.row(r) + j * lanes);
    for (std::size_t c = 0; c < C; ++c) {
      const auto b = hn::Set(d, z[r * count + c]);
      for (std::size_t j = 0; j < J; ++j) sum[c][j] = hn::MulAdd(a[j], b, sum[c][j]);
    }
  }
  for (std::size_t c = 0; c < C; ++c)
    for (std::size_t j = 0; j < J; ++j) hn::StoreU(sum[c][j], d, g + c * g_stride + j * lanes);
}

template <class T, std::size_t C>
HWY_INLINE void backward_tail(const Panel& x, const T* HWY_RESTRICT z, std::size_t count,
                              T* HWY_RESTRICT g, std::size_t g_stride) {
  const hn::ScalableTag<T> d;
  for (std::size_t c = 0; c < C; ++c) {
    auto sum = hn::LoadU(d, g + c * g_stride);
    for (std::size_t r = 0; r < x.rows; ++r)
      sum = hn::MulAdd(load_x_tail<T>(d, x.row(r), x.cols), hn::Set(d, z[r * count + c]), sum);
    hn::StoreU(sum, d, g + c * g_stride);
  }
}

/// Calls f with the number of vectors in each chunk as a constant; chunks are of even size.
template <class F>
void for_each_chunk(std::size_t count, const F& f) {
  const std::size_t chunks = (count + chunk_vectors - 1) / chunk_vectors;
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::size_t first = count * i / chunks;
    switch (count * (i + 1) / chunks - first) {
      case 1:
        f(first, std::integral_constant<std::size_t, 1>());
        break;
      case 2:
        f(first, std::integral_constant<std::size_t, 2>());
        break;
      case 3:
        f(first, std::integral_constant<std::size_t, 3>());
        break;
      default:
        f(first, std::integral_constant<std::size_t, 4>());
    }
  }
}

template <class T>
void multiply_any(const TallBlock& x, const T* v, std::size_t stride, std::size_t count,
                  T* HWY_RESTRICT part, T* HWY_RESTRICT z) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first == 0 || first < x.cols; first += forward_cols) {
    const Panel panel{x.data, x.rows, std::min(forward_cols, x.cols - first), first};
    for_each_chunk(count, [&](std::size_t c, auto size) {
      forward_chunk<T, decltype(size)::value>(panel, v + c * stride + first, stride,
                                              part + c * lanes, count * lanes, first == 0);
    });
  }
  for (std::size_t i = 0; i < x.rows * count; ++i)
    z[i] = hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, part + i * lanes)));
}

template <class T, std::size_t C>
void backward_chunk(const Panel& x, const T* z, std::size_t count, T* g, std::size_t stride) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  constexpr std::size_t J = tile_width(C);
  std::size_t j = 0;
  const auto rest = [&] { return Panel{x.data, x.rows, x.cols - j, x.first + j}; };
  for (; j + J * lanes <= x.cols; j += J * lanes)
    backward_tile<T, C, J>(rest(), z, count, g + j, stride);
  for (; j + lanes <= x.cols; j += lanes) backward_tile<T, C, 1>(rest(), z, count, g + j, stride);
  if (j < x.cols) backward_tail<T, C>(rest(), z, count, g + j, stride);
}

template <class T>
void transposed_any(const TallBlock& x, const T* z, std::size_t count, T* g, std::size_t stride) {
  for (std::size_t first = 0; first < x.cols; first += backward_cols) {
    const Panel panel{x.data, x.rows, std::min(backward_cols, x.cols - first), first};
    for_each_chunk(count, [&](std::size_t c, auto size) {
      backward_chunk<T, decltype(size)::value>(panel, z + c, count, g + c * stride + first, stride);
    });
  }
}

void multiply_float(const TallBlock& x, const float* v, std::size_t stride, std::size_t count,
                    float* part, float* z) {
  multiply_any<float>(x, v, stride, count, part, z);
}
void multiply_double(const TallBlock& x, const double* v, std::size_t stride, std::size_t count,
                     double* part, double* z) {
  multiply_any<double>(x, v, stride, count, part, z);
}
void transposed_float(const TallBlock& x, const float* z, std::size_t count, float* g,
                      std::size_t stride) {
  transposed_any<float>(x, z, count, g, stride);
}
void transposed_double(const TallBlock& x, const double* z, std::size_t count, double* g,
                       std::size_t stride) {
  transposed_any<double>(x, z, count, g, stride);
}

}  // namespace semblance::common::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::common {

HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
HWY_EXPORT(transposed_float);
HWY_EXPORT(transposed_double);

std::size_t multiply_scratch(std::size_t rows, std::size_t count) noexcept {
  constexpr std::size_t widest = 64 / sizeof(float);
  return rows * count * widest;
}

template <>
void multiply(const TallBlock& x, const float* v, std::size_t stride, std::size_t count,
              float* scratch, float* z) {
  HWY_DYNAMIC_DISPATCH(multiply_float)(x, v, stride, count, scratch, z);
}
template <>
void multiply(const TallBlock& x, const double* v, std::size_t stride, std::size_t count,
              double* scratch, double* z) {
  HWY_DYNAMIC_DISPATCH(multiply_double)(x, v, stride, count, scratch, z);
}
template <>
void multiply_transposed(const TallBlock& x, const float* z, std::size_t count, float* g,
                         std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(transposed_float)(x, z, count, g, stride);
}
template <>
void multiply_transposed(const TallBlock& x, const double* z, std::size_t count, double* g,
                         std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(transposed_double)(x, z, count, g, stride);
}

std::size_t rows_in_cache(std::size_t cols, std::size_t count) noexcept {
  constexpr std::size_t cache = 448 << 10;  // of 512 KiB, the smallest size in current processors
  const std::size_t vectors = 2 * count * padded(cols) * sizeof(float);
  const std::size_t left = cache > vectors ? cache - vectors : 0;
  return std::clamp<std::size_t>(left / (cols * sizeof(float) + 1) / 4 * 4, 8, 32);
}

}  // namespace semblance::common
#endif
