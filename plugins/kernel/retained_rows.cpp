// SPDX-License-Identifier: MIT
#include "retained_rows.hpp"

#include <algorithm>
#include <iterator>

namespace semblance::kernel {

RetainedRows::RetainedRows(const numerics::KernelSource& source, std::size_t rows)
    : source_(source), rows_(rows) {}

void RetainedRows::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                           MutableMatrixView out) const {
  add_missing(rows);
  // A computed row does not change any more.
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(&rows_[rows[r]][first_column], out.cols, out.row(r));
}

/// Two threads may compute the same row, with the same bits; one of them retains it.
void RetainedRows::add_missing(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> missing;
  {
    const std::lock_guard lock(mutex_);
    std::ranges::copy_if(rows, std::back_inserter(missing),
                         [&](std::uint32_t row) { return rows_[row].empty(); });
  }
  if (missing.empty()) return;
  FloatMatrix found(missing.size(), rows_.size());
  source_.compute(missing, 0, found.view());
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < missing.size(); ++r) {
    std::vector<float>& kept = rows_[missing[r]];
    const auto row = found.view().row_span(r);
    if (kept.empty()) kept.assign(row.begin(), row.end());
  }
}

std::size_t RetainedRows::computed() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(rows_, [](const auto& row) { return !row.empty(); }));
}

}  // namespace semblance::kernel
