// SPDX-License-Identifier: MIT
#include "sparse/sparse_task.hpp"

#include <algorithm>

namespace semblance::linear {
namespace {

/// Whether views of different rows are of the same arrays.
bool in_one_piece(const Rows& rows) {
  if (rows.rows() == 0) return false;
  const std::size_t last = rows.rows() - 1;
  const MatrixView here = rows.view(0, 1), there = rows.view(last, 1);
  const bool same = here.data == there.data && here.columns == there.columns &&
                    here.offsets + last == there.offsets;
  rows.release(0, 1);
  rows.release(last, 1);
  return same;
}

}  // namespace

SparseTask::SparseTask(const LinearTask& task, Context& context)
    : task_(task),
      centre_(task.centre),
      at_centre_(task.centre.empty() ? 0 : task.training.rows.rows()),
      squares_(task.training.rows.rows()),
      in_one_piece_(in_one_piece(task.training.rows)) {
  for_each_block(task.training.rows, context,
                 [&](std::size_t, std::size_t first, MatrixView block) {
                   for (std::size_t i = 0; i < block.rows; ++i) {
                     double sum = bias() * bias();
                     for (const float x : block.row_span(i)) sum += double{x} * x;
                     if (!at_centre_.empty()) {
                       const double product = centre_.product(entries_of(block, i));
                       at_centre_[first + i] = product;
                       sum = std::max(sum - 2 * product + centre_.square, 0.0);
                     }
                     squares_[first + i] = sum;
                   }
                 });
}

}  // namespace semblance::linear
