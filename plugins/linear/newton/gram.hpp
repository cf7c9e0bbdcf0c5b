// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// A row of the data and the factor of x x^T, of any sign.
struct WeightedRow {
  std::size_t row;
  double weight;
};

/// How rows enter a Gram matrix: the `centre` subtracted, unless that is empty, and `bias` appended
/// unless it is 0; then the `chosen` columns only, unless that is empty.
struct GramColumns {
  double bias = 0;
  std::span<const std::size_t> chosen = {};
  std::span<const double> centre = {};  ///< of all columns, without that of the bias
};

/// Adds sum weight x x^T to the lower triangle of `matrix`, tile by tile in parallel; the bits do
/// not depend on the threads. All weights have the same sign. False if a stop was requested; polled
/// once per few hundred rows. On several ranks, `chosen` are own rows, in ascending order, which
/// are sent to all ranks, a few hundred at a time, and all compute the same. Collective then.
bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<double>& matrix, Context& context);

/// Bytes that add_gram() needs in addition to its matrix.
std::size_t gram_bytes(std::size_t dimension) noexcept;

/// Writes columns [column, column + width) of rows [first, first + count).
template <class T>
using FillRows = std::function<void(std::size_t first, std::size_t count, std::size_t column,
                                    std::size_t width, T* to, std::size_t stride)>;

/// The lower triangle of the products of `rows` rows with each other, in parallel; the bits do not
/// depend on the threads. No rows if a stop was requested. T is float or double.
template <class T>
Vectors<T> row_products(std::size_t rows, std::size_t cols, const FillRows<T>& fill,
                        Context& context);

/// Bytes that it needs in addition to its result.
std::size_t row_products_bytes(std::size_t rows) noexcept;

/// Bytes of n rows of n values in double.
inline std::size_t square_bytes(std::size_t n) noexcept { return n * padded(n) * sizeof(double); }

}  // namespace semblance::linear
