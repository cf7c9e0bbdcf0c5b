// SPDX-License-Identifier: MIT
#include "listed_rows.hpp"

#include <algorithm>
#include <array>

#include "prefetch.hpp"
#include "semblance/samples.hpp"

namespace semblance::ml3 {
namespace {

/// Values of a row in addition to those that differ from the background.
std::size_t more_values(const Problem& problem) {
  return problem.stored_inputs() - problem.rows.cols;
}

}  // namespace

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
  if (rows.background.empty() || surroundings.ranks().ranks() > 1) return {};
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
