// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "semblance/matrix.hpp"
#include "semblance_numerics/bf16.hpp"

/// Sums over the columns of two rows as definitions have them: value by value, in double.
namespace semblance::vectors {

namespace plain_sums {

/// One sum per column modulo this number: avoids a chain of additions, and gives the same bits if
/// columns of zeros are omitted.
constexpr std::size_t lanes = 8;

inline double total(const std::array<double, lanes>& sums) {
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

template <class Value, class Term>
double dense(const float* b, const float* x, std::size_t count, const Value& value,
             const Term& term) {
  std::array<double, lanes> sums = {};
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(value(b[k + l]), value(x[k + l]));
  for (; k < count; ++k) sums[k % lanes] += term(value(b[k]), value(x[k]));
  return total(sums);
}

/// For rows with ascending columns; the term is 0 if neither has a value.
template <class Value, class Term>
double sparse(MatrixView bases, std::size_t j, MatrixView x, const Value& value, const Term& term) {
  const auto b = bases.row_span(j), y = x.row_span(0);
  const auto of_b = bases.columns_of(j), of_y = x.columns_of(0);
  std::array<double, lanes> sums = {};
  for (std::size_t p = 0, q = 0; p < b.size() || q < y.size();) {
    const std::size_t left = p < b.size() ? of_b[p] : bases.cols;
    const std::size_t right = q < y.size() ? of_y[q] : bases.cols;
    sums[std::min(left, right) % lanes] +=
        term(left <= right ? value(b[p]) : 0.0, right <= left ? value(y[q]) : 0.0);
    p += left <= right ? 1 : 0;
    q += right <= left ? 1 : 0;
  }
  return total(sums);
}

template <class Value, class Term>
double of(MatrixView bases, std::size_t j, MatrixView x, const Value& value, const Term& term) {
  if (bases.sparse()) return sparse(bases, j, x, value, term);
  return dense(bases.row(j), x.row(0), std::min(bases.size(j), x.size(0)), value, term);
}

}  // namespace plain_sums

/// The sum of term(b, x) over the values of row j of `bases` and the single row of `x`, which are
/// first rounded to bfloat16 if the measure does so.
template <class Term>
double plain_sum(MatrixView bases, std::size_t j, MatrixView x, bool bf16, const Term& term) {
  if (bf16)
    return plain_sums::of(
        bases, j, x, [](float v) { return double{numerics::to_float(numerics::to_bf16(v))}; },
        term);
  return plain_sums::of(
      bases, j, x, [](float v) { return double{v}; }, term);
}

inline double plain_product(MatrixView bases, std::size_t j, MatrixView x, bool bf16) {
  return plain_sum(bases, j, x, bf16, [](double b, double y) { return b * y; });
}

}  // namespace semblance::vectors
