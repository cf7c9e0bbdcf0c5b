// SPDX-License-Identifier: MIT
#include "present_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "block_statistics.hpp"
#include "semblance/collectives.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

void check_not_infinite(float value, std::size_t row, std::size_t column) {
  if (!std::isinf(value)) return;
  throw RowError(RowError::Of::training, row, "the value in ",
                 ", column " + std::to_string(column) +
                     " (both from 0) is infinite; remove or replace such values before imputing");
}

/// The number of columns gathered at a time: as many as fit into half of the available memory, at
/// least one.
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

/// Calls `add` for every present value, with its row, its column and the sums to add it to.
template <class Add>
void sum_present(const Rows& rows, std::span<double> total, Context& context, const Add& add) {
  check_any(rows);
  const RowParts parts(rows.rows());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      context.check_stop();
      const std::size_t height = std::min(block_rows, end - first);
      const MatrixView view = rows.view(first, height);
      for (std::size_t i = 0; i < height; ++i) {
        const float* row = view.row(i);
        for (std::size_t c = 0; c < view.cols; ++c)
          if (!std::isnan(row[c])) add(row[c], first + i, c, sums);
      }
      rows.release(first, height);
    }
  });
}

}  // namespace

PresentValues present_values(const Rows& rows, Context& context) {
  const std::size_t cols = rows.cols();
  // Sums, sums of squares, and numbers of values, which are exact in double.
  std::vector<double> total(3 * cols);
  sum_present(rows, total, context,
              [cols](float value, std::size_t row, std::size_t c, std::span<double> sums) {
                check_not_infinite(value, row, c);
                sums[c] += double(value);
                sums[cols + c] += double(value) * double(value);
                sums[2 * cols + c] += 1;
              });
  PresentValues present;
  const auto width = static_cast<std::ptrdiff_t>(cols);
  present.sums.assign(total.begin(), total.begin() + width);
  present.squares.assign(total.begin() + width, total.begin() + 2 * width);
  present.counts.reserve(cols);
  for (std::size_t c = 0; c < cols; ++c)
    present.counts.push_back(static_cast<std::size_t>(total[2 * cols + c]));
  return present;
}

std::vector<double> present_squares_about(const Rows& rows, std::span<const float> values,
                                          Context& context) {
  std::vector<double> total(rows.cols());
  sum_present(rows, total, context,
              [&](float value, std::size_t, std::size_t c, std::span<double> sums) {
                const double difference = double(value) - double(values[c]);
                sums[c] += difference * difference;
              });
  return total;
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

}  // namespace semblance::normalizers
