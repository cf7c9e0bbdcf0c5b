// SPDX-License-Identifier: MIT
#include "problem/centred_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "column_centre.hpp"
#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::linear {

bool CentredRows::fill(const Rows& rows, std::span<const double> constants, Context& context) {
  const OwnParts share = context.collectives().own(RowParts(rows.rows()));
  rows_ = rows.rows();
  cols_ = rows.cols();
  first_ = share.first_row;
  allocate(share.rows * cols_, context);
  std::atomic<std::size_t> overflowing{cols_};
  for_each_own_block(rows, context, [&](std::size_t, std::size_t first, MatrixView view) {
    if (context.stop_requested() != StopReason::none) return;
    for (std::size_t i = 0; i < view.rows; ++i) {
      float* to = values_ + own(first + i) * cols_;
      common::copy_about(constants, view.row(i), cols_, to);
      const auto* bad = std::find_if(to, to + cols_, [](float x) { return !std::isfinite(x); });
      if (bad != to + cols_) overflowing = static_cast<std::size_t>(bad - to);
    }
    release(first, view.rows);
  });
  // Each rank knows its own rows only.
  for (const std::size_t column : context.collectives().gather(std::vector{overflowing.load()}))
    if (column < cols_)
      throw Error("column " + std::to_string(column) +
                  " (counted from 0) has values whose differences from its mean exceed float32; "
                  "make its unit larger");
  return context.stop_requested() == StopReason::none;
}

void CentredRows::allocate(std::size_t values, Context& context) {
  const std::size_t bytes = values * sizeof(float);
  if (bytes <= context.memory_budget() / 3) {
    memory_.resize(values);
    values_ = memory_.data();
    return;
  }
  file_ = std::make_unique<common::ScratchFile>(context.scratch_folder());
  file_->grow(bytes);
  values_ = reinterpret_cast<float*>(file_->data());
}

void CentredRows::release(std::size_t first, std::size_t count) const {
  const std::size_t size = cols_ * sizeof(float), begin = own(first) * size;
  if (file_) file_->drop_pages(begin, std::min(begin + count * size, file_->bytes()));
}

}  // namespace semblance::linear
