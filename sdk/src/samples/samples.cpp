// SPDX-License-Identifier: MIT
#include "semblance/samples.hpp"

#include <algorithm>

#include "semblance/state.hpp"

namespace semblance {

void for_each_block(const Rows& rows, Context& context,
                    const std::function<void(std::size_t, std::size_t, MatrixView)>& body) {
  context.parallel_for(block_count(rows.rows()), [&](std::size_t block) {
    const std::size_t first = block * block_rows;
    const std::size_t count = std::min(block_rows, rows.rows() - first);
    body(block, first, rows.view(first, count));
    rows.release(first, count);
  });
}

FloatMatrix room_for(const Layout& layout, std::span<const std::size_t> sizes) {
  if (layout.kind == LayoutKind::sparse) return FloatMatrix::sparse(layout.size(), sizes);
  if (layout.ragged()) return FloatMatrix::ragged(layout.size(), sizes);
  return {sizes.size(), layout.size()};
}

void copy_rows(MatrixView from, MutableMatrixView out) {
  for (std::size_t r = 0; r < out.rows; ++r) {
    std::copy_n(from.row(r), out.size(r), out.row(r));
    if (out.sparse()) std::ranges::copy(from.columns_of(r), out.columns_of(r).begin());
  }
}

std::vector<std::int64_t> row_numbers(const TrainingSet& training,
                                      std::span<const std::int64_t> positions) {
  std::vector<std::int64_t> numbers(positions.begin(), positions.end());
  if (!training.row_numbers.empty())
    for (auto& row : numbers) row = training.row_numbers[static_cast<std::size_t>(row)];
  return numbers;
}

FloatMatrix::FloatMatrix(MatrixView view)
    : rows(view.rows), cols(view.cols), values(view.values()) {
  if (view.ragged())
    for (std::size_t i = 0; i <= rows; ++i) offsets.push_back(view.offsets[i] - view.offsets[0]);
  for (std::size_t i = 0; i < rows; ++i) std::ranges::copy(view.row_span(i), this->view().row(i));
  if (!view.sparse()) return;
  make_sparse();
  std::copy_n(view.columns + view.offsets[0], values.size(), columns.begin());
}

FloatMatrix FloatMatrix::ragged(std::size_t largest, std::span<const std::size_t> sizes) {
  FloatMatrix made;
  made.rows = sizes.size();
  made.cols = largest;
  made.offsets = {0};
  for (const std::size_t size : sizes) made.offsets.push_back(made.offsets.back() + size);
  made.values.resize(made.offsets.back());
  return made;
}

FloatMatrix FloatMatrix::sparse(std::size_t dimension, std::span<const std::size_t> sizes) {
  FloatMatrix made = ragged(dimension, sizes);
  made.make_sparse();
  return made;
}

void FloatMatrix::make_sparse() {
  is_sparse = true;
  columns.resize(values.size());
}

}  // namespace semblance
