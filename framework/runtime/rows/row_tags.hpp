// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/source.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// How the user identifies samples that are not at their original position: for files of
/// predictions.
class RowTags {
 public:
  RowTags() = default;
  /// The tags of the samples [first, first + count).
  RowTags(const Dataset& data, std::size_t first, std::size_t count);

  std::size_t rows() const noexcept { return rows_; }
  /// Dataset::number()
  std::int64_t number(std::size_t row) const {
    return numbers_.empty() ? first_ + static_cast<std::int64_t>(row) : numbers_[row];
  }
  /// Whether any sample has a name.
  bool named() const noexcept { return !names_.empty(); }
  /// Dataset::name(), as UTF-8; only where named().
  const std::string& name(std::size_t row) const { return names_[row]; }

  void save(StateWriter& out) const;
  /// Throws Error where saved parts do not fit together.
  static RowTags load(const StateReader& in);

 private:
  std::size_t rows_ = 0;
  std::int64_t first_ = 0;             ///< the number of the first sample
  std::vector<std::int64_t> numbers_;  ///< empty: consecutive
  std::vector<std::string> names_;     ///< empty: no sample has one
};

}  // namespace semblance
