// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance {

// Statistics of all rows, of all ranks, whose bits depend on neither the number of threads nor that
// of ranks. A value that is not finite is refused with its place, and so are no rows at all.

/// Throws Error where there are no rows to learn from.
void check_any(const Rows& rows);

/// The mean of each column.
std::vector<double> column_means(const Rows& rows, Context& context);

/// The standard deviation of each column (divided by n), given its mean.
std::vector<double> column_deviations(const Rows& rows, std::span<const double> means,
                                      Context& context);

struct ColumnRange {
  std::vector<double> low;
  std::vector<double> high;
};
/// The smallest and the largest value of each column; of sparse rows, of their values and 0.
ColumnRange column_ranges(const Rows& rows, Context& context);

/// The mean over the rows of |row - centre|, the denominator of BE-SVM, eq. (4).
double mean_centred_norm(const Rows& rows, std::span<const double> centre, Context& context);

}  // namespace semblance
