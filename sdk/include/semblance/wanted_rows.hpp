// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace semblance {

/// Rows of a data set, by their numbers (Dataset::number()).
class WantedRows {
 public:
  /// All of them.
  WantedRows() = default;
  /// None.
  static WantedRows none();
  /// These, in any order.
  static WantedRows of(std::vector<std::int64_t> numbers);

  bool operator==(const WantedRows&) const = default;
  bool all() const noexcept { return all_; }
  bool contains(std::int64_t number) const noexcept;
  /// How many of the rows with the numbers [first, first + count).
  std::size_t count(std::int64_t first, std::size_t count) const noexcept;
  /// The same of all rows; `of_all` if these are all of them.
  std::size_t size(std::size_t of_all) const noexcept;

 private:
  using Run = std::pair<std::int64_t, std::int64_t>;  ///< [first, end)
  bool all_ = true;
  std::vector<Run> runs_;  ///< ascending
};

/// What a source may be besides: one that can keep the values of some rows alone, where rows are
/// shared out among several processes and each reads its own.
class SelectiveSource {
 public:
  virtual ~SelectiveSource();

  /// From now on outline() and open() are about all rows as before, their labels, numbers, names
  /// and sizes, but of the data set only these are read. Values of others are checked and not kept,
  /// and need not fit into memory.
  void keep_only(WantedRows rows) { wanted_ = std::move(rows); }

  /// Those that keep_only() was told.
  const WantedRows& wanted() const noexcept { return wanted_; }

 private:
  WantedRows wanted_;
};

}  // namespace semblance
