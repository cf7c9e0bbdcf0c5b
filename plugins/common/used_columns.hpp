// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::common {

/// A training set without the columns that none of its sparse rows has: their weights are 0, but
/// methods and models would visit and hold them. A set of dense rows, or with most of its columns,
/// stays as it is.
class UsedColumns final : public Rows {
 public:
  /// `given` must outlive it. Throws MemoryError if a copy of all entries' columns does not fit.
  UsedColumns(const TrainingSet& given, Context& context);

  const TrainingSet& training() const noexcept { return set_; }
  const numerics::OccurringColumns& columns() const noexcept { return used_; }
  /// The bytes that it holds.
  std::size_t bytes() const noexcept;

  std::size_t rows() const noexcept override { return rows_.rows(); }
  std::size_t cols() const noexcept override { return used_.size(); }
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t first, std::size_t count) const override { rows_.release(first, count); }

 private:
  void copy_places(Context& context);

  const Rows& rows_;
  numerics::OccurringColumns used_;
  std::vector<std::string> names_;      ///< of the used columns, where columns have names
  std::vector<std::uint32_t> columns_;  ///< of all entries: their places among the used ones
  std::vector<std::size_t> starts_;     ///< of the rows' entries
  TrainingSet set_;
};

}  // namespace semblance::common
