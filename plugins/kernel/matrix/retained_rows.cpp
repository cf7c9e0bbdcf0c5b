// SPDX-License-Identifier: MIT
#include "matrix/retained_rows.hpp"

#include <algorithm>

#include "semblance/state.hpp"

namespace semblance::kernel {

RetainedRows::RetainedRows(const numerics::KernelSource& source, std::size_t rows, std::size_t most)
    : source_(source), most_(most), ready_(rows) {}

void RetainedRows::compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                           MutableMatrixView out) const {
  std::vector<std::uint32_t> fresh;
  {
    const std::lock_guard lock(mutex_);
    for (const std::uint32_t row : rows)
      if (promised_ < most_ && resident(row) == nullptr) {
        ++promised_;
        fresh.push_back(row);
      }
  }
  if (!fresh.empty()) retain(fresh);
  std::vector<std::uint32_t> others;
  std::vector<std::size_t> to;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (const float* const row = resident(rows[r])) {
      std::copy_n(row + first_column, out.cols, out.row(r));
    } else {
      others.push_back(rows[r]);
      to.push_back(r);
    }
  if (others.empty()) return;
  FloatMatrix found(others.size(), out.cols);
  source_.compute(others, first_column, found.view());
  for (std::size_t r = 0; r < to.size(); ++r)
    std::copy_n(found.view().row(r), out.cols, out.row(to[r]));
}

/// Two threads may compute the same row, with the same bits; one of them retains it.
void RetainedRows::retain(std::span<const std::uint32_t> rows) const {
  FloatMatrix found(rows.size(), ready_.size());
  try {
    source_.compute(rows, 0, found.view());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    promised_ -= rows.size();
    throw;
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (resident(rows[r]) != nullptr) {
      --promised_;
      continue;
    }
    const auto row = found.view().row_span(r);
    values_.emplace_back(row.begin(), row.end());
    ready_[rows[r]].store(values_.back().data(), std::memory_order_release);
  }
}

std::size_t RetainedRows::retained() const {
  const std::lock_guard lock(mutex_);
  return values_.size();
}

SharedSource::SharedSource(const numerics::KernelSource& source, std::size_t rows,
                           std::size_t bytes)
    : source_(source), bytes_left_(bytes) {
  if (source.resident(0) != nullptr) return;
  const std::size_t row = rows * sizeof(float), most = std::min(rows, bytes / 2 / row);
  if (most == 0) return;
  retained_.emplace(source, rows, most);
  bytes_left_ -= most * row;
}

}  // namespace semblance::kernel
