// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "problem/linear_task.hpp"

namespace semblance::linear {

/// Sparse training samples without the columns that none of them has: their weights are 0, but the
/// methods would visit them.
class UsedColumns final : public Rows {
 public:
  /// `rows` must outlive it.
  UsedColumns(const Rows& rows, Context& context);

  /// Whether training on the used columns is worth a copy of all entries' columns, and these fit
  /// into memory.
  bool worth_it() const noexcept { return worth_it_; }
  /// The solution with weights for all columns.
  void widen(Solution& solution) const;

  std::size_t rows() const noexcept override { return rows_.rows(); }
  std::size_t cols() const noexcept override { return used_.size(); }
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t first, std::size_t count) const override { rows_.release(first, count); }

 private:
  const Rows& rows_;
  bool worth_it_ = false;
  std::vector<std::uint32_t> used_;     ///< ascending
  std::vector<std::uint32_t> columns_;  ///< of all entries, by position in `used_`
};

/// The solutions of a task by a method that takes a task, on the used columns if that is worth it.
std::vector<Solution> on_used_columns(
    const LinearTask& task, const std::function<std::vector<Solution>(const LinearTask&)>& method,
    Context& context);

}  // namespace semblance::linear
