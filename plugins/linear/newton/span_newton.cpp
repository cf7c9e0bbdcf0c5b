// SPDX-License-Identifier: MIT
#include "newton/span_newton.hpp"

#include <algorithm>
#include <optional>

#include "newton/newton_memory.hpp"
#include "newton/preconditioner.hpp"

namespace semblance::linear {
namespace {

// The optimum in the span is computed with this share of the tolerance, which leaves room for
// rounding in the expansion to all columns.
constexpr double tolerance_share = 0.1;

/// The same solution with weights of all columns.
Solution expanded(const Solution& found, Vectors<double> weights, double sweeps) {
  return {std::move(weights), found.outcomes, found.certificate, found.stalled,
          found.iterations,   sweeps,         found.objectives,  found.start_norms};
}

}  // namespace

bool worth_span(std::size_t rows, std::size_t dimension, std::size_t problems) noexcept {
  // The products of the rows cost as much as rows / 4 sweeps of one problem. Newton steps with all
  // columns take 40 sweeps if C is small, and 500 and more, or end before the optimum, if it is
  // large: on 49,728 columns the span of 200 rows of two classes was 1.7 and 12 times as fast, that
  // of 600 rows 0.3 and 2.2 times.
  constexpr std::size_t columns_a_row = 4, rows_a_problem = 300;
  return columns_a_row * rows <= dimension && rows <= rows_a_problem * problems &&
         span_bytes(rows, dimension, 1) <= hessian_allowance(rows, dimension);
}

std::vector<Solution> minimise_in_span(const RowSpan& span, SquaredHinge& problem,
                                       std::span<const double> costs, const NewtonOptions& options,
                                       Context& context) {
  const SquaredHinge::Data& data = problem.data();
  std::vector<Solution> found;
  bool all_columns = false;  // after the optimum in the span is found
  std::optional<Progress::Part> part;
  if (Progress* const progress = options.progress) {
    part.emplace(*progress, [&](Notes& notes) {
      notes.integer("all_columns", all_columns ? 1 : 0);
      if (all_columns) notes.solutions("found", found);
    });
    if (progress->goes_on())
      progress->go_on([&](const NotesReader& kept) {
        all_columns = kept.integer("all_columns") != 0;
        if (all_columns)
          found = kept.solutions("found", costs.size() + 1, problem.problems(), data.rows.rows());
        if (all_columns && found.size() != costs.size()) throw Error("costs are missing");
      });
  }
  if (!all_columns) {
    SquaredHinge small({span.coordinates(), data.labels, data.positives, costs.back(), 0,
                        data.row_weights, &span.split_coordinates()},
                       context);
    NewtonOptions closer = options;
    closer.tolerance *= tolerance_share;
    closer.proves_ahead = false;
    closer.held += RowSpan::bytes(data.rows.rows());
    found = minimise(small, costs, closer, context);
    all_columns = true;
  }
  const auto start_at = [&](std::size_t i) {
    const double sweeps = i == 0 ? 1.5 : 0.5;  // of all columns
    return expanded(found[i], span.expand(found[i].weights, context), sweeps);
  };
  NewtonOptions here = options;
  here.held += RowSpan::bytes(data.rows.rows());
  return minimise(problem, costs, here, context, start_at);
}

std::size_t span_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept {
  return RowSpan::bytes(rows) +
         std::max(RowSpan::scratch_bytes(rows, dimension, threads), cholesky_bytes(rows, threads));
}

}  // namespace semblance::linear
