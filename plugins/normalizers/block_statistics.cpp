// SPDX-License-Identifier: MIT
#include "block_statistics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "affine.hpp"
#include "row_kernels.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

void check_row(MatrixView view, std::size_t i, std::size_t number) {
  if (view.sparse()) return check_sparse(view, i, number, RowError::Of::training);
  check_finite(view.row(i), view.cols, number, RowError::Of::training);
}

void check_fits(std::size_t sums, std::size_t columns, const Context& context) {
  check_budget(sums * columns * sizeof(double), context,
               std::to_string(sums) + " sums over rows at once x " + std::to_string(columns) +
                   " columns x 8 bytes",
               "use fewer threads or fewer columns");
}

/// `body` adds the sums of a block's rows.
std::vector<double> sum_rows(const Rows& rows, Context& context, std::size_t width,
                             const std::function<void(MatrixView, std::span<double>)>& body) {
  check_any(rows);
  const RowParts parts(rows.rows());
  check_fits(sums_at_once(rows.rows(), context.threads()) + 1, width, context);
  std::vector<double> total(width);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    visit_blocks(rows, parts, part, context, [&](MatrixView view, std::size_t row) {
      body(view, sums);
      // float32 values cannot make sums in double overflow, so values are checked only if a sum is
      // not finite.
      if (!std::ranges::all_of(sums, [](double x) { return std::isfinite(x); }))
        for (std::size_t i = 0; i < view.rows; ++i) check_row(view, i, row + i);
    });
  });
  return total;
}

/// The initial, empty ranges of columns.
ColumnRange empty_range(std::size_t cols) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::vector<double>(cols, infinity), std::vector<double>(cols, -infinity)};
}

void widen(ColumnRange& range, std::span<const double> low, std::span<const double> high) {
  for (std::size_t c = 0; c < low.size(); ++c) {
    range.low[c] = std::min(range.low[c], low[c]);
    range.high[c] = std::max(range.high[c], high[c]);
  }
}

/// Comparisons alone would ignore NaN.
void widen(ColumnRange& range, const OccurringColumns& columns, MatrixView view,
           std::size_t first_row) {
  for (std::size_t i = 0; i < view.rows; ++i) {
    const float* x = view.row(i);
    check_row(view, i, first_row + i);
    for (std::size_t k = 0; k < view.size(i); ++k) {
      const std::size_t c = view.sparse() ? columns.place(view.columns_of(i)[k]) : k;
      range.low[c] = std::min(range.low[c], double(x[k]));
      range.high[c] = std::max(range.high[c], double(x[k]));
    }
  }
}

}  // namespace

void check_any(const Rows& rows) {
  if (rows.rows() == 0) throw Error("there are no training rows to learn from");
}

void visit_columns(const Rows& rows, Context& context,
                   const std::function<void(std::size_t, std::vector<float>&)>& use) {
  check_any(rows);
  const std::size_t bytes = rows.rows() * sizeof(float);
  const std::size_t width =
      std::clamp<std::size_t>(context.memory_budget() / 2 / bytes, 1, rows.cols());
  for (std::size_t first = 0; first < rows.cols(); first += width) {
    std::vector<std::vector<float>> columns(std::min(width, rows.cols() - first));
    for (auto& column : columns) column.reserve(rows.rows());
    for (std::size_t row = 0; row < rows.rows(); row += block_rows) {
      context.check_stop();
      const std::size_t height = std::min(block_rows, rows.rows() - row);
      const MatrixView view = rows.view(row, height);
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t c = 0; c < columns.size(); ++c)
          columns[c].push_back(view.row(i)[first + c]);
      rows.release(row, height);
    }
    context.parallel_for(columns.size(), [&](std::size_t c) { use(first + c, columns[c]); });
  }
}

std::vector<double> column_means(const Rows& rows, const OccurringColumns& columns,
                                 Context& context) {
  auto means =
      sum_rows(rows, context, columns.size(), [&](MatrixView view, std::span<double> sums) {
        if (view.sparse()) return add_sparse_columns(view, columns, sums.data());
        add_columns(view, sums.data());
      });
  for (double& m : means) m /= static_cast<double>(rows.rows());
  return means;
}

std::vector<double> column_deviations(const Rows& rows, const OccurringColumns& columns,
                                      std::span<const double> means, Context& context) {
  const auto count = static_cast<double>(rows.rows());
  auto deviations =
      sum_rows(rows, context, columns.size(), [&](MatrixView view, std::span<double> sums) {
        if (view.sparse()) return add_sparse_deviations(view, columns, means.data(), sums.data());
        add_squared_deviations(view, means.data(), sums.data());
      });
  for (double& d : deviations) d = std::sqrt(std::max(d, 0.0) / count);
  return deviations;
}

std::vector<double> column_counts(const Rows& rows, const OccurringColumns& columns,
                                  Context& context) {
  return sum_rows(rows, context, columns.size(), [&](MatrixView view, std::span<double> sums) {
    for (std::size_t i = 0; i < view.rows; ++i)
      for (std::size_t k = 0; k < view.size(i); ++k)
        if (view.row(i)[k] != 0) ++sums[view.sparse() ? columns.place(view.columns_of(i)[k]) : k];
  });
}

/// The order in which values are compared does not matter.
ColumnRange column_ranges(const Rows& rows, const OccurringColumns& columns, Context& context) {
  check_any(rows);
  const std::size_t cols = columns.size();
  Collectives& ranks = context.collectives();
  const RowParts parts(rows.rows());
  const OwnParts own = ranks.own(parts);
  const std::size_t shares = std::min(own.count, std::max<std::size_t>(context.threads(), 1));
  check_fits(2 * (shares + 1), cols, context);
  std::vector<ColumnRange> by_share(shares, empty_range(cols));
  std::atomic<bool> sparse{false};
  context.parallel_for(shares, [&](std::size_t s) {
    for (std::size_t p = own.first + s; p < own.end(); p += shares)
      visit_blocks(rows, parts, p, context, [&](MatrixView view, std::size_t row) {
        widen(by_share[s], columns, view, row);
        if (view.sparse()) sparse = true;
      });
  });
  ColumnRange range = empty_range(cols);
  for (const ColumnRange& share : by_share) widen(range, share.low, share.high);
  const std::vector<double> lows = ranks.gather(range.low), highs = ranks.gather(range.high);
  for (std::size_t r = 0; r < ranks.ranks(); ++r)
    widen(range, std::span(lows).subspan(r * cols, cols), std::span(highs).subspan(r * cols, cols));
  // Columns of sparse rows are assumed to have a 0, which nearly all have.
  if (ranks.any(sparse)) {
    const std::vector<double> zeros(cols);
    widen(range, zeros, zeros);
  }
  return range;
}

double mean_centred_norm(const Rows& rows, std::span<const double> centre, Context& context) {
  const auto total = sum_rows(rows, context, 1, [&](MatrixView view, std::span<double> sum) {
    for (std::size_t i = 0; i < view.rows; ++i)
      sum[0] += centred_norm(view.row(i), centre.data(), view.cols);
  });
  return total[0] / static_cast<double>(rows.rows());
}

}  // namespace semblance::normalizers
