// SPDX-License-Identifier: MIT
#include "block_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "row_kernels.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

constexpr std::size_t partial_bytes = std::size_t{48} << 20;

}  // namespace

void reduce_blocks(const Rows& rows, Context& context, std::size_t width,
                   const std::function<void(MatrixView, std::span<double>)>& body,
                   const std::function<void(std::span<const double>)>& combine) {
  if (rows.rows() == 0) throw Error("there are no training rows to learn from");
  const std::size_t blocks = block_count(rows.rows());
  const std::size_t fit = partial_bytes / (std::max<std::size_t>(width, 1) * sizeof(double));
  const std::size_t batch = std::min(blocks, std::max(fit, 2 * context.threads()));
  std::vector<double> partial(batch * width);
  for (std::size_t first = 0; first < blocks; first += batch) {
    const std::size_t count = std::min(batch, blocks - first);
    std::fill(partial.begin(), partial.end(), 0.0);
    context.parallel_for(count, [&](std::size_t b) {
      context.check_stop();
      const std::size_t row = (first + b) * block_rows;
      const std::size_t height = std::min(block_rows, rows.rows() - row);
      const MatrixView view = rows.view(row, height);
      const std::span<double> result(partial.data() + b * width, width);
      body(view, result);
      // float32 values cannot make sums in double overflow: only then does one need a look.
      if (!std::all_of(result.begin(), result.end(), [](double x) { return std::isfinite(x); }))
        for (std::size_t i = 0; i < height; ++i)
          check_finite(view.row(i), view.cols, row + i, "of the training rows");
      rows.release(row, height);
    });
    for (std::size_t b = 0; b < count; ++b) combine({partial.data() + b * width, width});
  }
}

namespace {

std::vector<double> sum_blocks(const Rows& rows, Context& context, std::size_t width,
                               const std::function<void(MatrixView, std::span<double>)>& body) {
  std::vector<double> total(width, 0.0);
  reduce_blocks(rows, context, width, body, [&](std::span<const double> partial) {
    for (std::size_t c = 0; c < width; ++c) total[c] += partial[c];
  });
  return total;
}

}  // namespace

std::vector<double> column_means(const Rows& rows, Context& context) {
  auto means = sum_blocks(rows, context, rows.cols(), [](MatrixView view, std::span<double> sums) {
    add_columns(view, sums.data());
  });
  for (double& m : means) m /= static_cast<double>(rows.rows());
  return means;
}

std::vector<double> column_deviations(const Rows& rows, std::span<const double> means,
                                      Context& context) {
  auto deviations =
      sum_blocks(rows, context, rows.cols(), [&](MatrixView view, std::span<double> sums) {
        add_squared_deviations(view, means.data(), sums.data());
      });
  for (double& d : deviations) d = std::sqrt(d / static_cast<double>(rows.rows()));
  return deviations;
}

ColumnRange column_ranges(const Rows& rows, Context& context) {
  const std::size_t cols = rows.cols();
  ColumnRange range;
  const auto body = [&](MatrixView view, std::span<double> out) {
    const auto low = out.first(cols), high = out.last(cols);
    std::copy_n(view.row(0), cols, low.begin());
    std::copy_n(view.row(0), cols, high.begin());
    for (std::size_t i = 1; i < view.rows; ++i) {
      const float* x = view.row(i);
      for (std::size_t c = 0; c < cols; ++c) {
        low[c] = std::min(low[c], double(x[c]));
        high[c] = std::max(high[c], double(x[c]));
      }
    }
    for (std::size_t i = 0; i < view.rows; ++i)  // comparisons alone pass over NaN
      if (!all_finite(view.row(i), cols)) low[0] = std::numeric_limits<double>::quiet_NaN();
  };
  reduce_blocks(rows, context, 2 * cols, body, [&](std::span<const double> partial) {
    const auto low = partial.first(cols), high = partial.last(cols);
    if (range.low.empty()) {
      range.low.assign(low.begin(), low.end());
      range.high.assign(high.begin(), high.end());
    }
    for (std::size_t c = 0; c < cols; ++c) {
      range.low[c] = std::min(range.low[c], low[c]);
      range.high[c] = std::max(range.high[c], high[c]);
    }
  });
  return range;
}

double mean_centred_norm(const Rows& rows, std::span<const float> centre, Context& context) {
  const auto total = sum_blocks(rows, context, 1, [&](MatrixView view, std::span<double> sum) {
    for (std::size_t i = 0; i < view.rows; ++i)
      sum[0] += centred_norm(view.row(i), centre.data(), view.cols);
  });
  return total[0] / static_cast<double>(rows.rows());
}

}  // namespace semblance
