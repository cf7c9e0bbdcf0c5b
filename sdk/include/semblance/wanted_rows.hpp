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
  /// The number of wanted rows among the numbers [first, first + count).
  std::size_t count(std::int64_t first, std::size_t count) const noexcept;
  /// The number of wanted rows; `of_all` if all are wanted.
  std::size_t size(std::size_t of_all) const noexcept;

 private:
  using Run = std::pair<std::int64_t, std::int64_t>;  ///< [first, end)
  bool all_ = true;
  std::vector<Run> runs_;  ///< ascending
};

/// An optional interface of sources that can hold the values of only some rows, for distributed
/// training where each process reads its own rows.
class SelectiveSource {
 public:
  virtual ~SelectiveSource();

  /// Restricts the data set's values to these rows. outline() and open() still cover all rows with
  /// their labels, numbers, names and sizes. Values of the other rows are checked but not stored,
  /// and need not fit into memory.
  void keep_only(WantedRows rows) { wanted_ = std::move(rows); }

  /// The rows passed to keep_only().
  const WantedRows& wanted() const noexcept { return wanted_; }

 private:
  WantedRows wanted_;
};

}  // namespace semblance
