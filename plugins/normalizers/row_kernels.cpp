// SPDX-License-Identifier: MIT
#include "row_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "semblance/row_error.hpp"

// Plain loops, compiled for every instruction set and vectorized by the compiler, which may not
// change the order of sums. So all machines get the same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "row_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::normalizers::HWY_NAMESPACE {
namespace {

constexpr std::size_t lanes = 8;

void add_columns(MatrixView rows, double* HWY_RESTRICT sums) {
  std::size_t i = 0;
  for (; i + 4 <= rows.rows; i += 4) {  // four rows a pass: a quarter of the traffic on `sums`
    const float *a = rows.row(i), *b = rows.row(i + 1), *c = rows.row(i + 2), *d = rows.row(i + 3);
    for (std::size_t k = 0; k < rows.cols; ++k)
      sums[k] += (double(a[k]) + double(b[k])) + (double(c[k]) + double(d[k]));
  }
  for (; i < rows.rows; ++i) {
    const float* a = rows.row(i);
    for (std::size_t k = 0; k < rows.cols; ++k) sums[k] += a[k];
  }
}

void add_squared_deviations(MatrixView rows, const double* HWY_RESTRICT centre,
                            double* HWY_RESTRICT sums) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const float* a = rows.row(i);
    for (std::size_t k = 0; k < rows.cols; ++k) {
      const double d = a[k] - centre[k];
      sums[k] += d * d;
    }
  }
}

double centred_norm(const float* HWY_RESTRICT row, const double* HWY_RESTRICT centre,
                    std::size_t cols) {
  double lane[lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= cols; c += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double d = double(row[c + l]) - centre[c + l];
      lane[l] += d * d;
    }
  for (std::size_t l = 0; c + l < cols; ++l) {
    const double d = double(row[c + l]) - centre[c + l];
    lane[l] += d * d;
  }
  return std::sqrt(((lane[0] + lane[4]) + (lane[2] + lane[6])) +
                   ((lane[1] + lane[5]) + (lane[3] + lane[7])));
}

void affine(const float* HWY_RESTRICT x, const float* HWY_RESTRICT high,
            const float* HWY_RESTRICT low, const float* HWY_RESTRICT scale, float shift,
            float* HWY_RESTRICT y, std::size_t cols) {
  for (std::size_t c = 0; c < cols; ++c) y[c] = ((x[c] - high[c]) - low[c]) * scale[c] + shift;
}

void subtract(const float* HWY_RESTRICT x, const float* HWY_RESTRICT high,
              const float* HWY_RESTRICT low, float* HWY_RESTRICT y, std::size_t cols) {
  for (std::size_t c = 0; c < cols; ++c) y[c] = (x[c] - high[c]) - low[c];
}

bool all_finite(const float* HWY_RESTRICT row, std::size_t cols) {
  std::uint32_t bad = 0;
  for (std::size_t c = 0; c < cols; ++c) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, row + c, sizeof bits);
    bad |= (bits & 0x7f800000u) == 0x7f800000u;
  }
  return bad == 0;
}

}  // namespace
}  // namespace semblance::normalizers::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::normalizers {

HWY_EXPORT(add_columns);
HWY_EXPORT(add_squared_deviations);
HWY_EXPORT(centred_norm);
HWY_EXPORT(affine);
HWY_EXPORT(subtract);
HWY_EXPORT(all_finite);

void add_columns(MatrixView rows, double* sums) { HWY_DYNAMIC_DISPATCH(add_columns)(rows, sums); }

void add_squared_deviations(MatrixView rows, const double* centre, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_squared_deviations)(rows, centre, sums);
}

double centred_norm(const float* row, const double* centre, std::size_t cols) {
  return HWY_DYNAMIC_DISPATCH(centred_norm)(row, centre, cols);
}

bool all_finite(const float* row, std::size_t cols) {
  return HWY_DYNAMIC_DISPATCH(all_finite)(row, cols);
}

void check_finite(const float* row, std::size_t cols, std::size_t number, RowError::Of of) {
  if (all_finite(row, cols)) return;
  const auto finite = [](float x) { return std::isfinite(x); };
  const auto column = std::find_if_not(row, row + cols, finite) - row;
  throw RowError(of, number, "the value in ",
                 ", column " + std::to_string(column) + " (both from 0) is " +
                     (std::isnan(row[column]) ? "not a number" : "infinite") +
                     "; remove or replace such values before normalizing");
}

void affine(MatrixView in, ColumnOffset offset, const float* scale, float shift,
            MutableMatrixView out) {
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_finite(in.row(i), in.cols, i, RowError::Of::block);  // brings the row into the cache
    HWY_DYNAMIC_DISPATCH(affine)
    (in.row(i), offset.high, offset.low, scale, shift, out.row(i), in.cols);
  }
}

void subtract(MatrixView in, std::size_t number, ColumnOffset offset, MutableMatrixView out) {
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_finite(in.row(i), in.cols, number + i, RowError::Of::block);
    HWY_DYNAMIC_DISPATCH(subtract)(in.row(i), offset.high, offset.low, out.row(i), in.cols);
  }
}

void check_sparse(MatrixView rows, std::size_t i, std::size_t number, RowError::Of of) {
  const std::span<const float> values = rows.row_span(i);
  const auto bad = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  if (bad == values.end()) return;
  throw RowError(
      of, number, "the value in ",
      ", column " +
          std::to_string(rows.columns_of(i)[static_cast<std::size_t>(bad - values.begin())]) +
          " (both from 0) is " + (std::isnan(*bad) ? "not a number" : "infinite") +
          "; remove or replace such values before normalizing");
}

void add_sparse_columns(MatrixView rows, const numerics::OccurringColumns& columns, double* sums) {
  for (std::size_t k = rows.offsets[0]; k < rows.offsets[rows.rows]; ++k)
    sums[columns.place(rows.columns[k])] += double{rows.data[k]};
}

void add_sparse_deviations(MatrixView rows, const numerics::OccurringColumns& columns,
                           const double* centre, double* sums) {
  const auto count = static_cast<double>(rows.rows);
  for (std::size_t c = 0; c < columns.size(); ++c) sums[c] += count * centre[c] * centre[c];
  for (std::size_t k = rows.offsets[0]; k < rows.offsets[rows.rows]; ++k) {
    const double value = rows.data[k];
    const std::size_t place = columns.place(rows.columns[k]);
    sums[place] += value * (value - 2 * centre[place]);
  }
}

double sparse_norm(std::span<const float> values) {
  double sum = 0;
  for (const float x : values) sum += double{x} * x;
  return std::sqrt(sum);
}

void scale_sparse(MatrixView in, const numerics::OccurringColumns& columns, const float* scale,
                  MutableMatrixView out) {
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_sparse(in, i, i, RowError::Of::block);
    const auto own = in.columns_of(i);
    const auto values = in.row_span(i);
    std::ranges::copy(own, out.columns_of(i).begin());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t place = columns.place(own[k]);
      out.row(i)[k] =
          place == numerics::OccurringColumns::none ? values[k] : values[k] * scale[place];
    }
  }
}

}  // namespace semblance::normalizers
#endif  // HWY_ONCE
