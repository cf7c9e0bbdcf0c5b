// SPDX-License-Identifier: MIT
#include "newton/span_newton.hpp"

#include <algorithm>
#include <limits>

#include "newton/distributed.hpp"
#include "newton/newton_memory.hpp"
#include "newton/preconditioner.hpp"
#include "newton/row_gram.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::linear {
namespace {

/// Computes the lower triangle of the products of the rows, with the bias; each rank computes some
/// of the tiles. False if a stop was requested.
bool add_products(const Rows& rows, double bias, Vectors<double>& products, Context& context) {
  const std::size_t n = rows.rows(), tiles = (n + tile_rows - 1) / tile_rows;
  const auto tile = [&](std::size_t i) {
    const MatrixView view = rows.view(i * tile_rows, std::min(tile_rows, n - i * tile_rows));
    std::vector<const float*> pointers(view.rows);
    for (std::size_t r = 0; r < view.rows; ++r) pointers[r] = view.row(r);
    return pointers;
  };
  for (std::size_t i = 0; i < tiles; ++i) {
    context.parallel_for(i + 1, [&](std::size_t j) {
      if (context.stop_requested() != StopReason::none) return;
      if (!has_tile(numerics::triangle_size(i) + j, context)) return;
      add_tile_products(tile(i), tile(j), rows.cols(), bias,
                        products.row(i * tile_rows) + j * tile_rows, products.stride());
    });
    rows.release(0, std::min(n, (i + 1) * tile_rows));
  }
  share_tiles(products, tile_rows, context);
  return context.stop_requested() == StopReason::none;
}

/// Replaces the lower triangle by its Cholesky factor. Linearly dependent rows leave only rounding
/// errors on its diagonal: enough is added that these cannot make it negative. False if a stop was
/// requested.
bool factorise_products(Vectors<double>& m, Context& context) {
  const std::size_t n = m.cols();
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = m.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) m.row(j)[i] = m.row(i)[j];
  }
  const double largest = *std::max_element(diagonal.begin(), diagonal.end());
  double raise = 4 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  // If all rows are 0; its root is still a float32.
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

/// The factor in float32, with its rounding errors appended to each row.
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

// The optimum in the span is computed with this share of the tolerance, which leaves room for
// rounding in the expansion to all columns.
constexpr double tolerance_share = 0.1;

/// The same solution with weights of all columns.
Solution expanded(const Solution& found, Vectors<double> weights, double sweeps) {
  return {std::move(weights), {},     found.outcomes,   found.certificate, found.stalled,
          found.iterations,   sweeps, found.objectives, found.start_norms, found.convergence};
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
  if (!add_products(rows, bias, products, context)) return std::nullopt;
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
    context.parallel_for((d + strip_columns - 1) / strip_columns, [&](std::size_t part) {
      const std::size_t column = part * strip_columns, width = std::min(strip_columns, d - column);
      std::vector<const float*> pointers(block.rows);
      for (std::size_t r = 0; r < block.rows; ++r) pointers[r] = block.row(r) + column;
      common::multiply_transposed(common::TallBlock{pointers.data(), block.rows, width},
                                  by_row.data() + first * count, count, w.row(0) + column,
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
  const std::size_t side = std::min(tile_rows, rows) * padded(std::min(strip_columns, cols));
  return 2 * threads * side * sizeof(double);
}

bool worth_span(std::size_t rows, std::size_t dimension, std::size_t problems) noexcept {
  // The products of the rows cost as much as rows / 4 sweeps of one problem. Newton steps with all
  // columns take 40 sweeps if C is small, and 500 and more, or end before the optimum, if it is
  // large: on 49,728 columns the span of 200 rows of two classes was 1.7 and 12 times as fast, that
  // of 600 rows 0.3 and 2.2 times.
  constexpr std::size_t columns_per_row = 4, rows_per_problem = 300;
  return columns_per_row * rows <= dimension && rows <= rows_per_problem * problems &&
         span_bytes(rows, dimension, 1) <= hessian_allowance(rows, dimension);
}

std::vector<Solution> minimise_in_span(const RowSpan& span, SquaredLosses& problem,
                                       std::span<const double> costs, const NewtonOptions& options,
                                       Context& context) {
  const SquaredLosses::Data& data = problem.data();
  NewtonOptions here = options;
  here.held += RowSpan::bytes(data.rows.rows());
  SquaredLosses small({span.coordinates(), data.losses, costs.back(), 0, data.row_weights,
                       &span.split_coordinates(), false, data.cost_factors},
                      context);
  NewtonOptions closer = here;
  closer.tolerance *= tolerance_share;
  closer.proves_ahead = false;
  const std::vector<Solution> found = minimise(small, costs, closer, context);
  const auto start_at = [&](std::size_t i) {
    const double sweeps = i == 0 ? 1.5 : 0.5;  // of all columns
    return expanded(found[i], span.expand(found[i].weights, context), sweeps);
  };
  return minimise(problem, costs, here, context, start_at);
}

std::size_t span_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return RowSpan::bytes(rows) +
         std::max(RowSpan::scratch_bytes(rows, dimension, threads), cholesky_bytes(rows, threads));
}

}  // namespace semblance::linear
