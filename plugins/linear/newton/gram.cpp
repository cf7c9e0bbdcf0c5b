// SPDX-License-Identifier: MIT
#include "newton/gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

constexpr std::size_t chunk_rows = 512;
constexpr std::size_t gram_tile = 512;
// A few hundred rows keep several threads busy.
constexpr std::size_t row_tile = 128, strip_columns = 512;

/// A row as add_gram() needs it, multiplied by the square root of its weight's magnitude.
void fill_row(const float* x, std::size_t cols, double weight, const GramColumns& columns,
              double* to) {
  const double root = std::sqrt(std::abs(weight));
  const auto scaled = [&](std::size_t j, double value) {
    return root * (j < columns.centre.size() ? value - columns.centre[j] : value);
  };
  if (!columns.chosen.empty()) {
    for (std::size_t k = 0; k < columns.chosen.size(); ++k) {
      const std::size_t j = columns.chosen[k];
      to[k] = scaled(j, j < cols ? double{x[j]} : columns.bias);
    }
    return;
  }
  for (std::size_t j = 0; j < cols; ++j) to[j] = scaled(j, double{x[j]});
  if (columns.bias != 0) to[cols] = scaled(cols, columns.bias);
}

/// Adds the products of a chunk's first rows.
void add_chunk(const Vectors<double>& chunk, std::size_t count, double weight,
               Vectors<double>& matrix, Context& context) {
  const std::size_t d = matrix.cols(), tiles = (d + gram_tile - 1) / gram_tile;
  const double sign = weight < 0 ? -1 : 1;
  context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
    if (context.stop_requested() != StopReason::none) return;
    const numerics::TrianglePlace place = numerics::triangle_place(task);
    const std::size_t row = place.row * gram_tile, col = place.col * gram_tile;
    const std::size_t height = std::min(gram_tile, d - row);
    const double *left = chunk.row(0) + row, *right = chunk.row(0) + col;
    double* to = matrix.row(row) + col;
    if (row == col)
      numerics::blas::add_transposed_square(height, count, sign, left, chunk.stride(), to,
                                            matrix.stride());
    else
      numerics::blas::add_transposed_product(height, gram_tile, count, sign, left, right,
                                             chunk.stride(), to, matrix.stride());
  });
}

void fill_chunk(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<double>& chunk) {
  std::vector<float> laid_out;  // a sparse row
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const MatrixView row = rows.view(chosen[r].row, 1);
    if (!row.sparse()) {
      fill_row(row.row(0), rows.cols(), chosen[r].weight, columns, chunk.row(r));
      continue;
    }
    laid_out.resize(rows.cols());
    for (std::size_t k = 0; k < row.size(0); ++k) laid_out[row.columns_of(0)[k]] = row.row(0)[k];
    fill_row(laid_out.data(), rows.cols(), chosen[r].weight, columns, chunk.row(r));
    for (const std::uint32_t column : row.columns_of(0)) laid_out[column] = 0;
  }
  const std::size_t begin = chosen.front().row;
  rows.release(begin, chosen.back().row + 1 - begin);
}

/// The same with rows of all ranks. Collective.
void fill_gathered(const Rows& rows, std::span<const WeightedRow> chosen,
                   const GramColumns& columns, Vectors<double>& chunk, Context& context) {
  std::vector<std::int64_t> positions;
  for (const WeightedRow& row : chosen) positions.push_back(static_cast<std::int64_t>(row.row));
  const FloatMatrix values = gather_rows(rows, positions, context);
  for (std::size_t r = 0; r < chosen.size(); ++r)
    fill_row(values.view().row(r), rows.cols(), chosen[r].weight, columns, chunk.row(r));
}

}  // namespace

bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<double>& matrix, Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<WeightedRow> gathered;
  if (ranks.ranks() > 1)
    chosen = gathered = ranks.gather(std::vector<WeightedRow>(chosen.begin(), chosen.end()));
  const auto stopped = [&] { return context.stop_requested() != StopReason::none; };
  Vectors<double> chunk(std::min(chunk_rows, chosen.size()), matrix.cols());
  for (std::size_t first = 0; first < chosen.size() && !stopped(); first += chunk_rows) {
    const auto part = chosen.subspan(first, std::min(chunk_rows, chosen.size() - first));
    if (ranks.ranks() == 1)
      fill_chunk(rows, part, columns, chunk);
    else
      fill_gathered(rows, part, columns, chunk, context);
    if (!stopped()) add_chunk(chunk, part.size(), part.front().weight, matrix, context);
  }
  return !stopped();
}

std::size_t gram_bytes(std::size_t dimension) noexcept {
  return chunk_rows * padded(dimension) * sizeof(double);
}

template <class T>
Vectors<T> row_products(std::size_t rows, std::size_t cols, const FillRows<T>& fill,
                        Context& context) {
  const std::size_t tiles = (rows + row_tile - 1) / row_tile;
  Vectors<T> products(rows, rows), strip(rows, std::min(strip_columns, cols));
  const auto stopped = [&] { return context.stop_requested() != StopReason::none; };
  for (std::size_t column = 0; column < cols && !stopped(); column += strip_columns) {
    const std::size_t width = std::min(strip_columns, cols - column);
    context.parallel_for(tiles, [&](std::size_t tile) {
      const std::size_t first = tile * row_tile;
      fill(first, std::min(row_tile, rows - first), column, width, strip.row(first),
           strip.stride());
    });
    context.parallel_for(numerics::triangle_size(tiles), [&](std::size_t task) {
      if (stopped()) return;
      const numerics::TrianglePlace place = numerics::triangle_place(task);
      const std::size_t row = place.row * row_tile, col = place.col * row_tile;
      const std::size_t height = std::min(row_tile, rows - row);
      T* to = products.row(row) + col;
      if (row == col)
        numerics::blas::add_square(height, width, strip.row(row), strip.stride(), to,
                                   products.stride());
      else
        numerics::blas::add_product(height, row_tile, width, strip.row(row), strip.row(col),
                                    strip.stride(), to, products.stride());
    });
  }
  return stopped() ? Vectors<T>() : std::move(products);
}

template Vectors<float> row_products(std::size_t, std::size_t, const FillRows<float>&, Context&);
template Vectors<double> row_products(std::size_t, std::size_t, const FillRows<double>&, Context&);

std::size_t row_products_bytes(std::size_t rows) noexcept {
  return rows * padded(strip_columns) * sizeof(double);
}

}  // namespace semblance::linear
