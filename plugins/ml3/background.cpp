// SPDX-License-Identifier: MIT
#include "background.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "prefetch.hpp"
#include "problem.hpp"
#include "semblance/samples.hpp"

namespace semblance::ml3 {
namespace {

/// Below this, rows cost too little to be cut.
constexpr std::size_t least_columns = 32;
/// The number of rows from which a column's background is determined.
constexpr std::size_t rows_looked_at = 256;

/// Rows that are spread over all of them.
std::vector<float> sample(MatrixView rows) {
  const std::size_t count = std::min(rows.rows, rows_looked_at);
  std::vector<float> values;
  for (std::size_t s = 0; s < count; ++s) {
    const auto row = rows.row_span(s * rows.rows / count);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

/// The value that more than half of the rows have in each column, if any (Boyer and Moore's
/// majority vote).
std::vector<float> majorities(std::span<const float> rows, std::size_t cols) {
  std::vector<float> candidates(cols);
  std::vector<std::size_t> votes(cols);
  for (std::size_t i = 0; i < rows.size(); i += cols)
    for (std::size_t k = 0; k < cols; ++k) {
      const float x = rows[i + k];
      if (votes[k] == 0) candidates[k] = x;
      if (x == candidates[k])
        ++votes[k];
      else
        --votes[k];
    }
  return candidates;
}

/// Values of a row in addition to those that differ from the background.
std::size_t more_values(const Problem& problem) {
  return problem.stored_inputs() - problem.rows.cols;
}

}  // namespace

Background find_background(const TrainingRows& rows, Context& context) {
  const std::size_t cols = rows.cols;
  if (cols < least_columns || rows.rows == 0) return {};
  Background background{majorities(sample(rows), cols), std::vector<float>(cols),
                        std::vector<float>(rows.rows), std::vector<float>(rows.rows), 0};
  const std::vector<float>&most = background.values, &v = background.centred;
  copy_about(rows.centre, most.data(), cols, background.centred.data());
  double square = 0;
  for (const float x : v) square += double{x} * double{x};

  std::vector<std::size_t> others(block_count(rows.rows));
  context.parallel_for(others.size(), [&](std::size_t b) {
    for (std::size_t i = b * block_rows; i < std::min((b + 1) * block_rows, rows.rows); ++i) {
      const float* row = rows.row(i);
      double sum = 0;
      for (std::size_t k = 0; k < cols; ++k) {
        if (row[k] == most[k]) continue;
        sum += double{v[k]} * double{row[k] - most[k]};
        ++others[b];
      }
      background.outside[i] = static_cast<float>(sum);
      background.along[i] = static_cast<float>(sum + square);
    }
  });
  background.others = std::accumulate(others.begin(), others.end(), std::size_t{0});
  if (2 * background.others >= rows.rows * cols) return {};
  return background;
}

void list_row(const Problem& problem, const float* row, std::size_t number,
              numerics::SparseBlock& block) {
  const Background& background = problem.rows.background;
  const std::array<float, 1 + background_columns> more{static_cast<float>(problem.bias),
                                                       background.outside[number], 1};
  block.add({row, problem.rows.cols}, background.values,
            std::span(more).subspan(problem.bias != 0 ? 0 : 1));
}

std::optional<ListedRows> ListedRows::make(const Problem& problem, double bytes,
                                           const Surroundings& surroundings) {
  const TrainingRows& rows = problem.rows;
  if (rows.background.empty()) return {};
  const std::size_t values = rows.background.others + rows.rows * more_values(problem);
  const double needed = double(block_count(rows.rows)) *
                            numerics::SparseBlock::bytes(block_rows, problem.stored_inputs(), 0) +
                        numerics::SparseBlock::bytes(0, 0, values);
  if (needed > bytes) return {};
  return ListedRows(problem, surroundings);
}

ListedRows::ListedRows(const Problem& problem, const Surroundings& surroundings)
    : blocks_(block_count(problem.rows.rows)) {
  surroundings.parallel_for(blocks_.size(), [&](std::size_t b) {
    const std::size_t first = b * block_rows;
    const std::size_t end = std::min(first + block_rows, problem.rows.rows);
    blocks_[b] = numerics::SparseBlock(problem.stored_inputs());
    for (std::size_t i = first; i < end; ++i) list_row(problem, problem.rows.row(i), i, blocks_[b]);
    blocks_[b].shrink_to_fit();
  });
}

numerics::SparseRow ListedRows::row(std::size_t i) const noexcept {
  return blocks_[i / block_rows].row(i % block_rows);
}

void ListedRows::expect(std::size_t i) const noexcept {
  const numerics::SparseRow row = this->row(i);
  prefetch(row.values);
  prefetch(std::span(row.offsets, row.values.size()));
  prefetch(std::span(row.starts, 1));
}

}  // namespace semblance::ml3
