// SPDX-License-Identifier: MIT
#include "newton/row_span.hpp"

#include <algorithm>
#include <limits>

#include "newton/shared_tiles.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::solvers {
namespace {

// Rows of a tile: enough for BLAS to reach its rate, and for the tiles of a few hundred rows to
// keep several threads busy.
constexpr std::size_t span_tile = 128;
// Columns that are widened to double at once, to 1 MiB a side.
constexpr std::size_t strip = 1024;

/// Some columns of some rows, widened.
void widen(MatrixView rows, std::size_t first, std::size_t count, Vectors<double>& to) {
  for (std::size_t r = 0; r < rows.rows; ++r) std::copy_n(rows.row(r) + first, count, to.row(r));
}

/// The products of the rows of two tiles, in the order of the columns.
void add_tile(MatrixView left, MatrixView right, bool same, double* to, std::size_t stride) {
  const std::size_t width = std::min(strip, left.cols);
  Vectors<double> a(left.rows, width), b(same ? 0 : right.rows, width);
  for (std::size_t first = 0; first < left.cols; first += strip) {
    const std::size_t count = std::min(strip, left.cols - first);
    widen(left, first, count, a);
    if (same) {
      numerics::blas::add_square(left.rows, count, a.row(0), a.stride(), to, stride);
      continue;
    }
    widen(right, first, count, b);
    numerics::blas::add_product(left.rows, right.rows, count, a.row(0), b.row(0), a.stride(), to,
                                stride);
  }
}

/// The lower triangle of the rows' products with each other; each rank computes some of the tiles.
/// False when a stop was requested.
bool add_products(const Rows& rows, Vectors<double>& products, Context& context) {
  const std::size_t n = rows.rows(), tiles = (n + span_tile - 1) / span_tile;
  const auto tile = [&](std::size_t i) {
    return rows.view(i * span_tile, std::min(span_tile, n - i * span_tile));
  };
  for (std::size_t i = 0; i < tiles; ++i) {
    context.parallel_for(i + 1, [&](std::size_t j) {
      if (context.stop_requested() != StopReason::none) return;
      if (!has_tile(numerics::triangle_size(i) + j, context)) return;
      add_tile(tile(i), tile(j), i == j, products.row(i * span_tile) + j * span_tile,
               products.stride());
    });
    rows.release(0, std::min(n, (i + 1) * span_tile));
  }
  share_tiles(products, span_tile, context);
  return context.stop_requested() == StopReason::none;
}

/// Replaces the lower triangle by its Cholesky factor. Rows that depend on others, or repeat them,
/// leave nothing but rounding errors on its diagonal: so much is added that these cannot make it
/// negative. False when a stop was requested.
bool factorise_products(Vectors<double>& m, Context& context) {
  const std::size_t n = m.cols();
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = m.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) m.row(j)[i] = m.row(i)[j];
  }
  const double largest = *std::max_element(diagonal.begin(), diagonal.end());
  double raise = 4 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  // Where all rows are 0; its root is still a float32.
  raise = std::max(raise, 1e-60);
  for (;; raise *= 100) {
    for (std::size_t i = 0; i < n; ++i) m.row(i)[i] = diagonal[i] + raise;
    const numerics::Factorisation result = factorise(m, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
    if (!(raise < largest))
      throw Error("the products of the rows cannot be factorized; scale the columns alike");
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) m.row(i)[j] = m.row(j)[i];
  }
}

/// The factor in float32, and behind each row what that leaves out.
std::shared_ptr<const Vectors<float>> split(const Vectors<double>& factor) {
  const std::size_t n = factor.count();
  auto values = std::make_shared<Vectors<float>>(n, 2 * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double x = factor.row(i)[j];
      const auto rounded = static_cast<float>(x);
      values->row(i)[j] = rounded;
      values->row(i)[n + j] = static_cast<float>(x - double{rounded});
    }
  return values;
}

}  // namespace

RowSpan::RowSpan(const Rows& rows, double bias, Vectors<double> factor)
    : rows_(&rows),
      bias_(bias),
      factor_(std::move(factor)),
      split_(split(factor_), 2 * factor_.count()),
      coordinates_(split_, factor_.count()) {}

std::optional<RowSpan> RowSpan::of(const Rows& rows, double bias, Context& context) {
  const std::size_t n = rows.rows();
  openblas_set_num_threads(1);  // the threads are the context's
  Vectors<double> products(n, n);
  if (!add_products(rows, products, context)) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) products.row(i)[j] += bias * bias;
  if (!factorise_products(products, context)) return std::nullopt;
  return RowSpan(rows, bias, std::move(products));
}

Vectors<double> RowSpan::expand(const Vectors<double>& coordinates, Context& context) const {
  const std::size_t n = rows_->rows(), d = rows_->cols(), count = coordinates.count();
  // w = sum factors_i x_i with L^T factors = coordinates.
  Vectors<double> factors(count, n), w(count, d + (bias_ != 0 ? 1 : 0));
  std::vector<double> by_row(n * count);
  for (std::size_t c = 0; c < count; ++c) {
    std::copy_n(coordinates.row(c), n, factors.row(c));
    numerics::blas::solve_transposed(n, factor_.row(0), factor_.stride(), factors.row(c));
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      by_row[i * count + c] = factors.row(c)[i];
      sum += factors.row(c)[i];
    }
    if (bias_ != 0) w.row(c)[d] = bias_ * sum;
  }
  for (std::size_t first = 0; first < n; first += block_rows) {
    const MatrixView block = rows_->view(first, std::min(block_rows, n - first));
    context.parallel_for((d + strip - 1) / strip, [&](std::size_t part) {
      std::vector<const float*> pointers(block.rows);
      for (std::size_t r = 0; r < block.rows; ++r) pointers[r] = block.row(r) + part * strip;
      multiply_transposed(TallBlock{pointers.data(), block.rows, std::min(strip, d - part * strip)},
                          by_row.data() + first * count, count, w.row(0) + part * strip,
                          w.stride());
    });
    rows_->release(first, block.rows);
  }
  return w;
}

std::size_t RowSpan::bytes(std::size_t rows) noexcept {
  return rows * (padded(rows) * sizeof(double) + padded(2 * rows) * sizeof(float));
}

std::size_t RowSpan::scratch_bytes(std::size_t rows, std::size_t cols,
                                   std::size_t threads) noexcept {
  const std::size_t side = std::min(span_tile, rows) * padded(std::min(strip, cols));
  return 2 * threads * side * sizeof(double);
}

}  // namespace semblance::solvers
