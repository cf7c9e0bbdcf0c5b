// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// Statistics of all rows that do not depend on the number of threads: `body` fills `width`
/// doubles (zero before) for each block in parallel, `combine` receives them one block after the
/// other, in order. Holds at most a few dozen MiB of partial results. Where a result is not
/// finite the block is searched and Error names the value's place. Throws Error when there are no
/// rows.
void reduce_blocks(const Rows& rows, Context& context, std::size_t width,
                   const std::function<void(MatrixView, std::span<double>)>& body,
                   const std::function<void(std::span<const double>)>& combine);

/// The mean of each column.
std::vector<double> column_means(const Rows& rows, Context& context);

/// The standard deviation of each column (divided by n), given its mean.
std::vector<double> column_deviations(const Rows& rows, std::span<const double> means,
                                      Context& context);

struct ColumnRange {
  std::vector<double> low;
  std::vector<double> high;
};
/// The smallest and the largest value of each column.
ColumnRange column_ranges(const Rows& rows, Context& context);

/// The mean over the rows of |row - centre|, the denominator of BE-SVM, eq. (4).
double mean_centred_norm(const Rows& rows, std::span<const float> centre, Context& context);

}  // namespace semblance
