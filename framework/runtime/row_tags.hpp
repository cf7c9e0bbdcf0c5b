// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/source.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// How the user knows rows again that are no longer where they stood: for files of predictions.
struct RowTags {
  std::vector<std::int64_t> numbers;  ///< Dataset::number()
  std::vector<std::string> names;     ///< Dataset::name(), as UTF-8; empty: no row has one

  /// Of the rows [first, first + count).
  static RowTags of(const Dataset& data, std::size_t first, std::size_t count);

  void save(StateWriter& out) const;
  /// Throws Error where what was saved does not fit together.
  static RowTags load(const StateReader& in);
};

}  // namespace semblance
