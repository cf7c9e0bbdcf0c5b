// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::normalizers {

// Statistics of all rows of all ranks, whose bits depend on the number of neither threads nor
// ranks, one for each of the given columns, which are all that occur. Values that are not finite
// are refused with their position; an empty set of rows is refused as well, and so are sums that do
// not fit into memory, with the arithmetic.

using numerics::OccurringColumns;

/// Throws Error if there are no rows to learn from.
void check_any(const Rows& rows);

/// Calls body(view, its first row) for the blocks of a part in order.
template <class Body>
void visit_blocks(const Rows& rows, const RowParts& parts, std::size_t part, Context& context,
                  const Body& body) {
  const std::size_t end = parts.first_row(part + 1);
  for (std::size_t row = parts.first_row(part); row < end; row += block_rows) {
    context.check_stop();
    const std::size_t count = std::min(block_rows, end - row);
    body(rows.view(row, count), row);
    rows.release(row, count);
  }
}

/// Calls use(c, values of column c in the order of the rows) for all columns, in parallel; as many
/// at a time as fit into half of the available memory. Only over the rows of this process.
void visit_columns(const Rows& rows, Context& context,
                   const std::function<void(std::size_t, std::vector<float>&)>& use);

/// The mean of each column.
std::vector<double> column_means(const Rows& rows, const OccurringColumns& columns,
                                 Context& context);
inline std::vector<double> column_means(const Rows& rows, Context& context) {
  return column_means(rows, OccurringColumns(rows.cols()), context);
}

/// The standard deviation of each column (divided by n), given its mean.
std::vector<double> column_deviations(const Rows& rows, const OccurringColumns& columns,
                                      std::span<const double> means, Context& context);
inline std::vector<double> column_deviations(const Rows& rows, std::span<const double> means,
                                             Context& context) {
  return column_deviations(rows, OccurringColumns(rows.cols()), means, context);
}

/// The number of rows whose value in each column is not 0.
std::vector<double> column_counts(const Rows& rows, const OccurringColumns& columns,
                                  Context& context);

struct ColumnRange {
  std::vector<double> low;
  std::vector<double> high;
};
/// The smallest and the largest value of each column; of sparse rows, of their values and 0.
ColumnRange column_ranges(const Rows& rows, const OccurringColumns& columns, Context& context);
inline ColumnRange column_ranges(const Rows& rows, Context& context) {
  return column_ranges(rows, OccurringColumns(rows.cols()), context);
}

/// The mean over the rows of |row - centre|, the denominator of BE-SVM, eq. (4).
double mean_centred_norm(const Rows& rows, std::span<const double> centre, Context& context);

}  // namespace semblance::normalizers
