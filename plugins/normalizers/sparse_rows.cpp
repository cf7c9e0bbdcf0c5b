// SPDX-License-Identifier: MIT
#include "sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/row_error.hpp"

namespace semblance::normalizers {

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
