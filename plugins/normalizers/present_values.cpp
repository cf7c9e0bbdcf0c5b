// SPDX-License-Identifier: MIT
#include "present_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "block_statistics.hpp"
#include "semblance/collectives.hpp"
#include "semblance/row_error.hpp"

namespace semblance {
namespace {

void check_not_infinite(float value, std::size_t row, std::size_t column) {
  if (!std::isinf(value)) return;
  throw RowError(RowError::Of::training, row, "the value in ",
                 ", column " + std::to_string(column) +
                     " (both from 0) is infinite; remove or replace such values before imputing");
}

/// How many columns are gathered at a time: as many as fit into the memory that may be used, half
/// of it, but at least one.
std::size_t columns_at_once(const Rows& rows, const Context& context) {
  const std::size_t bytes = std::max<std::size_t>(1, rows.rows() * sizeof(float));
  return std::clamp<std::size_t>(context.memory_budget() / 2 / bytes, 1, rows.cols());
}

float median(std::vector<float>& values) {
  if (values.empty()) return std::numeric_limits<float>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const float below = *std::max_element(values.begin(), middle);
  return static_cast<float>((double(below) + double(*middle)) / 2);
}

}  // namespace

PresentValues present_values(const Rows& rows, Context& context) {
  check_any(rows);
  const std::size_t cols = rows.cols();
  const RowParts parts(rows.rows());
  // Sums, and behind them how many values they have; whole numbers that double holds exactly.
  std::vector<double> total(2 * cols);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      context.check_stop();
      const std::size_t height = std::min(block_rows, end - first);
      const MatrixView view = rows.view(first, height);
      for (std::size_t i = 0; i < height; ++i) {
        const float* row = view.row(i);
        for (std::size_t c = 0; c < cols; ++c) {
          if (std::isnan(row[c])) continue;
          check_not_infinite(row[c], first + i, c);
          sums[c] += double(row[c]);
          sums[cols + c] += 1;
        }
      }
      rows.release(first, height);
    }
  });
  PresentValues present;
  present.sums.assign(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(cols));
  present.counts.reserve(cols);
  for (std::size_t c = 0; c < cols; ++c)
    present.counts.push_back(static_cast<std::size_t>(total[cols + c]));
  return present;
}

std::vector<float> present_medians(const Rows& rows, Context& context) {
  check_any(rows);
  std::vector<float> medians(rows.cols());
  const std::size_t width = columns_at_once(rows, context);
  for (std::size_t first = 0; first < rows.cols(); first += width) {
    std::vector<std::vector<float>> columns(std::min(width, rows.cols() - first));
    for (auto& column : columns) column.reserve(rows.rows());
    for (std::size_t row = 0; row < rows.rows(); row += block_rows) {
      context.check_stop();
      const std::size_t height = std::min(block_rows, rows.rows() - row);
      const MatrixView view = rows.view(row, height);
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t c = 0; c < columns.size(); ++c)
          if (const float value = view.row(i)[first + c]; !std::isnan(value))
            columns[c].push_back(value);
      rows.release(row, height);
    }
    context.parallel_for(columns.size(),
                         [&](std::size_t c) { medians[first + c] = median(columns[c]); });
  }
  return medians;
}

}  // namespace semblance
