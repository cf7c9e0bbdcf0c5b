// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {

// Statistics of all rows of all ranks, whose bits depend on the number of neither threads nor
// ranks. Values that are not finite are refused with their position; an empty set of rows is
// refused as well.

/// Throws Error if there are no rows to learn from.
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

}  // namespace semblance::normalizers
