// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// How many rows a block has; results do not depend on this number.
inline constexpr std::size_t streaming_rows = 128;

/// Selects rows of a data set.
enum class RowsOf { none = 0, training = 1, testing = 2, all = 3 };

constexpr RowsOf operator|(RowsOf a, RowsOf b) {
  return static_cast<RowsOf>(static_cast<int>(a) | static_cast<int>(b));
}
constexpr RowsOf operator&(RowsOf a, RowsOf b) {
  return static_cast<RowsOf>(static_cast<int>(a) & static_cast<int>(b));
}
constexpr bool includes(RowsOf rows, RowsOf part) { return (rows & part) == part; }

/// Rows of a data set: [first, first + count).
struct RowSpan {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t end() const noexcept { return first + count; }
};

/// The selected rows of a data set with `train` rows for training, followed by `test` for testing.
constexpr RowSpan span_of(RowsOf rows, std::size_t train, std::size_t test) {
  switch (rows) {
    case RowsOf::none:
      return {train, 0};
    case RowsOf::training:
      return {0, train};
    case RowsOf::testing:
      return {train, test};
    case RowsOf::all:
      break;
  }
  return {0, train + test};
}

}  // namespace semblance
