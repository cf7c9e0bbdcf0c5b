// SPDX-License-Identifier: MIT
#include "listed_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "problem.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {
namespace {

/// Below this, rows cost too little to be cut.
constexpr std::size_t least_columns = 32;
/// The number of rows, spread over all, from which a column's background is determined.
constexpr std::size_t rows_looked_at = 256;

/// The value that more than half of the rows have in each column, if any (Boyer and Moore's
/// majority vote).
std::vector<float> majorities(const TrainingRows& rows) {
  std::vector<float> candidates(rows.cols);
  std::vector<std::size_t> votes(rows.cols);
  const std::size_t count = std::min(rows.rows, rows_looked_at);
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t k = 0; k < rows.cols; ++k) {
      const float x = rows.row(s * rows.rows / count)[k];
      if (votes[k] == 0) candidates[k] = x;
      if (x == candidates[k])
        ++votes[k];
      else
        --votes[k];
    }
    rows.release_after(s + 1 == count ? 0 : s + 1);
  }
  return candidates;
}

/// Calls body(block, first row, end) for all blocks of rows, in parallel.
template <class Body>
void for_blocks(std::size_t rows, Context& context, const Body& body) {
  context.parallel_for(block_count(rows), [&](std::size_t b) {
    body(b, b * block_rows, std::min((b + 1) * block_rows, rows));
  });
}

/// The values of each block of rows that differ from their column's background.
std::vector<std::size_t> others(const TrainingRows& rows, const std::vector<float>& most,
                                Context& context) {
  std::vector<std::size_t> counts(block_count(rows.rows));
  for_blocks(rows.rows, context, [&](std::size_t b, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t k = 0; k < rows.cols; ++k) counts[b] += rows.row(i)[k] != most[k];
    rows.release(first, end - first);
  });
  return counts;
}

}  // namespace

std::shared_ptr<const ListedRows> ListedRows::make(const Problem& problem, double bytes,
                                                   Context& context) {
  const TrainingRows& rows = problem.rows;
  if (rows.cols < least_columns || rows.rows == 0) return {};
  const std::vector<float> most = majorities(rows);
  const std::vector<std::size_t> counts = others(rows, most, context);
  const std::size_t values = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (2 * values >= rows.rows * rows.cols) return {};
  const std::size_t more = problem.inputs() - rows.cols + more_columns;
  const double needed =
      double(block_count(rows.rows)) *
          numerics::SparseBlock::bytes(block_rows, problem.inputs() + more_columns, 0) +
      numerics::SparseBlock::bytes(0, 0, values + rows.rows * more) +
      double(rows.rows) * sizeof(float);
  if (needed > bytes)
    throw MemoryError("listing the rows' " + std::to_string(values) +
                      " values that differ from their column's most frequent one needs " +
                      std::to_string(static_cast<std::size_t>(needed) >> 20) + " MiB, but only " +
                      std::to_string(static_cast<std::size_t>(bytes) >> 20) +
                      " MiB are left; use fewer models, fewer rows or more --memory");
  auto listed = std::make_shared<ListedRows>();
  listed->list(problem, most, counts, context);
  return listed;
}

void ListedRows::list(const Problem& problem, std::span<const float> most,
                      std::span<const std::size_t> values, Context& context) {
  const TrainingRows& rows = problem.rows;
  background_.resize(rows.cols);
  copy_about(rows.centre, most.data(), rows.cols, background_.data());
  double square = 0;
  for (const float x : background_) square += double{x} * double{x};
  along_.resize(rows.rows);
  blocks_.resize(block_count(rows.rows));
  for_blocks(rows.rows, context, [&](std::size_t b, std::size_t first, std::size_t end) {
    const std::size_t expected =
        values[b] + (end - first) * (problem.inputs() - rows.cols + more_columns);
    blocks_[b] = numerics::SparseBlock(problem.inputs() + more_columns, expected);
    for (std::size_t i = first; i < end; ++i) {
      double outside = 0;  // v . p
      for (std::size_t k = 0; k < rows.cols; ++k) {
        const float x = rows.row(i)[k];
        if (x != most[k]) outside += double{background_[k]} * double{x - most[k]};
      }
      along_[i] = static_cast<float>(outside + square);
      const std::array<float, 1 + more_columns> more{static_cast<float>(problem.bias),
                                                     static_cast<float>(outside), 1};
      blocks_[b].add(rows.row_span(i), most, std::span(more).subspan(problem.bias != 0 ? 0 : 1));
    }
    blocks_[b].shrink_to_fit();
    rows.release(first, end - first);
  });
}

void ListedRows::expect(std::size_t i) const noexcept {
  const numerics::SparseRow row = this->row(i);
  prefetch(row.values);
  prefetch(std::span(row.offsets, row.values.size()));
  prefetch(std::span(row.starts, 1));
}

}  // namespace semblance::ml3
