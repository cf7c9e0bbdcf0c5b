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

}  // namespace semblance
