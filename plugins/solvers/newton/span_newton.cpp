// SPDX-License-Identifier: MIT
#include "newton/span_newton.hpp"

#include <algorithm>

#include "newton/preconditioner.hpp"

namespace semblance::solvers {
namespace {

// The optimum of the span is looked for with this share of the tolerance, so that what rounding
// adds on the way to all columns finds room.
constexpr double tolerance_share = 0.1;

}  // namespace

bool worth_span(std::size_t rows, std::size_t dimension, std::size_t problems) noexcept {
  // The products of the rows cost as much as rows / 4 sweeps of one problem. Newton steps with all
  // columns take 40 sweeps where C is small, and 500 and more, or an end before the optimum, where
  // it is large: on 49,728 columns the span of 200 rows of two classes was 1.7 and 12 times as
  // fast, that of 600 rows 0.3 and 2.2 times.
  constexpr std::size_t columns_a_row = 4, rows_a_problem = 300;
  return columns_a_row * rows <= dimension && rows <= rows_a_problem * problems &&
         span_bytes(rows, dimension, 1) <= hessian_allowance(rows, dimension);
}

std::vector<Solution> minimise_in_span(const RowSpan& span, SquaredHinge& problem,
                                       std::span<const double> costs, const NewtonOptions& options,
                                       Context& context) {
  const SquaredHinge::Data& data = problem.data();
  std::vector<Solution> found;
  {
    SquaredHinge small({span.coordinates(), data.labels, data.positives, costs.back(), 0,
                        data.class_weights, &span.split_coordinates()},
                       context);
    NewtonOptions closer = options;
    closer.tolerance *= tolerance_share;
    closer.proves_ahead = false;
    closer.held += RowSpan::bytes(data.rows.rows());
    found = minimise(small, costs, closer, context);
  }
  const auto start_at = [&](std::size_t i) {
    Solution start = std::move(found[i]);
    start.weights = span.expand(start.weights, context);
    start.sweeps = i == 0 ? 1.5 : 0.5;  // of all columns
    return start;
  };
  NewtonOptions here = options;
  here.held += RowSpan::bytes(data.rows.rows());
  return minimise(problem, costs, here, context, start_at);
}

std::size_t span_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return RowSpan::bytes(rows) +
         std::max(RowSpan::scratch_bytes(rows, dimension, threads), cholesky_bytes(rows, threads));
}

}  // namespace semblance::solvers
