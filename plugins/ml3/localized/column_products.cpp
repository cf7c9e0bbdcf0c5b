// SPDX-License-Identifier: MIT
#include "localized/column_products.hpp"

#include <algorithm>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "localized/column_products.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::ml3 {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Strides are multiples of this; wider vectors would be padded with zeros.
using Doubles = hn::CappedTag<double, 4>;
using DoubleVec = hn::Vec<Doubles>;
// Eight floats on every CPU, in one vector or several: their sum has the same bits.
using Floats = hn::CappedTag<float, TwoParts::step>;
using FloatVec = hn::Vec<Floats>;
constexpr std::size_t float_lanes = hn::MaxLanes(Floats()), pieces = TwoParts::step / float_lanes;

/// `R` rows with `V` vectors of columns: R * V sums in registers.
template <std::size_t R, std::size_t V>
HWY_INLINE void multiply_tile(const float* const* x, std::size_t cols, const double* columns,
                              std::size_t stride, bool constant, double* out) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  DoubleVec sums[R][V];
  for (std::size_t v = 0; v < V; ++v) {
    const DoubleVec start =
        constant ? hn::Load(d, columns + cols * stride + v * lanes) : hn::Zero(d);
    for (std::size_t r = 0; r < R; ++r) sums[r][v] = start;
  }
  for (std::size_t k = 0; k < cols; ++k) {
    DoubleVec column[V];
    for (std::size_t v = 0; v < V; ++v) column[v] = hn::Load(d, columns + k * stride + v * lanes);
    for (std::size_t r = 0; r < R; ++r) {
      const DoubleVec value = hn::Set(d, double{x[r][k]});
      for (std::size_t v = 0; v < V; ++v) sums[r][v] = hn::MulAdd(value, column[v], sums[r][v]);
    }
  }
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t v = 0; v < V; ++v) hn::Store(sums[r][v], d, out + r * stride + v * lanes);
}

template <std::size_t R>
void multiply_rows(const float* const* x, std::size_t cols, const double* columns,
                   std::size_t stride, bool constant, double* out) {
  const std::size_t lanes = hn::Lanes(Doubles());
  std::size_t c = 0;
  for (; c + 3 * lanes <= stride; c += 3 * lanes)
    multiply_tile<R, 3>(x, cols, columns + c, stride, constant, out + c);
  for (; c < stride; c += lanes)
    multiply_tile<R, 1>(x, cols, columns + c, stride, constant, out + c);
}

void multiply_all(MatrixView rows, const double* columns, std::size_t stride, bool constant,
                  double* out) {
  std::size_t i = 0;
  for (; i + 4 <= rows.rows; i += 4) {
    const float* const x[] = {rows.row(i), rows.row(i + 1), rows.row(i + 2), rows.row(i + 3)};
    multiply_rows<4>(x, rows.cols, columns, stride, constant, out + i * stride);
  }
  for (; i < rows.rows; ++i) {
    const float* const x[] = {rows.row(i)};
    multiply_rows<1>(x, rows.cols, columns, stride, constant, out + i * stride);
  }
}

/// Four rows per pass: the columns are loaded and stored once for them.
template <std::size_t R>
HWY_INLINE void add_some(const float* const* x, std::size_t cols, const double* factors,
                         double* columns, std::size_t stride, bool constant) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t c = 0; c < stride; c += lanes) {
    DoubleVec f[R];
    for (std::size_t r = 0; r < R; ++r) f[r] = hn::LoadU(d, factors + r * stride + c);
    for (std::size_t k = 0; k < cols; ++k) {
      double* const at = columns + k * stride + c;
      DoubleVec sum = hn::Load(d, at);
      for (std::size_t r = 0; r < R; ++r) sum = hn::MulAdd(hn::Set(d, double{x[r][k]}), f[r], sum);
      hn::Store(sum, d, at);
    }
    if (!constant) continue;
    double* const at = columns + cols * stride + c;
    DoubleVec sum = hn::Load(d, at);
    for (std::size_t r = 0; r < R; ++r) sum = hn::Add(sum, f[r]);
    hn::Store(sum, d, at);
  }
}

void add_all(const float* const* x, std::size_t count, std::size_t cols, const double* factors,
             double* columns, std::size_t stride, bool constant) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    add_some<4>(x + i, cols, factors + i * stride, columns, stride, constant);
  for (; i < count; ++i) add_some<1>(x + i, cols, factors + i * stride, columns, stride, constant);
}

HWY_INLINE float sum_of(const FloatVec* sums) {
  HWY_ALIGN float v[TwoParts::step];
  for (std::size_t p = 0; p < pieces; ++p) hn::Store(sums[p], Floats(), v + p * float_lanes);
  return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

/// out[r] = x . y[r] for `R` vectors y.
template <std::size_t R>
HWY_INLINE void dots(const float* x, const float* const* y, std::size_t begin, std::size_t end,
                     float* out) {
  const Floats d;
  FloatVec sums[R][pieces];
  for (auto& sum : sums)
    for (FloatVec& piece : sum) piece = hn::Zero(d);
  for (std::size_t k = begin; k < end; k += TwoParts::step)
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t at = k + p * float_lanes;
      const FloatVec value = hn::Load(d, x + at);
      for (std::size_t r = 0; r < R; ++r)
        sums[r][p] = hn::MulAdd(value, hn::Load(d, y[r] + at), sums[r][p]);
    }
  for (std::size_t r = 0; r < R; ++r) out[r] = sum_of(sums[r]);
}

template <std::size_t R>
HWY_INLINE void values_of_some(const float* x, const float* const* y, std::size_t split,
                               std::size_t size, float* out) {
  float shares[R];
  dots<R>(x, y, 0, split, out);
  dots<R>(x, y, split, size, shares);
  for (std::size_t r = 0; r < R; ++r) out[r] *= shares[r];
}

void values_of_all(const TwoParts& vectors, std::uint32_t i, const std::uint32_t* others,
                   std::size_t count, float* out) {
  const std::size_t split = TwoParts::size(vectors.first, 0);
  const std::size_t size = TwoParts::size(vectors.first, vectors.second);
  const float* const x = vectors.values + i * size;
  std::size_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const float* const y[] = {
        vectors.values + others[j] * size, vectors.values + others[j + 1] * size,
        vectors.values + others[j + 2] * size, vectors.values + others[j + 3] * size};
    values_of_some<4>(x, y, split, size, out + j);
  }
  for (; j < count; ++j) {
    const float* const y[] = {vectors.values + others[j] * size};
    values_of_some<1>(x, y, split, size, out + j);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::ml3
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::ml3 {
namespace {

constexpr std::size_t columns_per_step = 4;

}  // namespace

HWY_EXPORT(multiply_all);
HWY_EXPORT(add_all);
HWY_EXPORT(values_of_all);

VectorColumns::VectorColumns(std::size_t count, std::size_t length)
    : count_(count),
      length_(length),
      stride_((count + columns_per_step - 1) / columns_per_step * columns_per_step),
      values_(stride_ * length) {
  std::fill_n(values_.data(), values_.size(), 0.0);
}

VectorColumns::VectorColumns(std::span<const double> rows, std::size_t count, std::size_t length)
    : VectorColumns(count, length) {
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < length; ++k) at(k)[c] = rows[c * length + k];
}

std::vector<double> VectorColumns::rows() const {
  std::vector<double> values(count_ * length_);
  for (std::size_t c = 0; c < count_; ++c)
    for (std::size_t k = 0; k < length_; ++k) values[c * length_ + k] = at(k)[c];
  return values;
}

void VectorColumns::add(const VectorColumns& other) noexcept {
  for (std::size_t k = 0; k < values_.size(); ++k) values_.data()[k] += other.values_.data()[k];
}

void multiply(MatrixView rows, const VectorColumns& columns, double* products) {
  HWY_DYNAMIC_DISPATCH(multiply_all)
  (rows, columns.at(0), columns.stride(), columns.length() > rows.cols, products);
}

void add_rows(std::span<const float* const> rows, std::size_t cols, const double* factors,
              VectorColumns& columns) {
  HWY_DYNAMIC_DISPATCH(add_all)
  (rows.data(), rows.size(), cols, factors, columns.at(0), columns.stride(),
   columns.length() > cols);
}

void kernel_values(const TwoParts& vectors, std::uint32_t i, std::span<const std::uint32_t> others,
                   float* out) {
  HWY_DYNAMIC_DISPATCH(values_of_all)(vectors, i, others.data(), others.size(), out);
}

}  // namespace semblance::ml3
#endif
