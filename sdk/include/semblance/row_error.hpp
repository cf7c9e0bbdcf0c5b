// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "semblance/error.hpp"

namespace semblance {

/// An error about one of the rows passed to a component, which knows only its position among them.
/// The runtime replaces it with the row's number in the user's data.
class RowError : public Error {
 public:
  /// The rows that `row` counts: those of the current block, training samples, test samples, or a
  /// similarity's bases.
  enum class Of { block, training, test, bases };

  /// The message is `before`, the row, and `after`: "the length of ", "row 3 of the block",
  /// " (counted from 0) is NaN; ...".
  RowError(Of of, std::size_t row, const std::string& before, const std::string& after);
  ~RowError() override;

  Of of() const noexcept { return of_; }
  std::size_t row() const noexcept { return row_; }
  /// The message with another name for the row.
  std::string named(const std::string& name) const { return before_ + name + after_; }

  /// The same about another row.
  RowError about(Of of, std::size_t row) const { return {of, row, before_, after_}; }

  /// "row 3 of the block", "training row 3", "test row 3", "basis 3"
  static std::string name(Of of, std::size_t row);

 private:
  Of of_;
  std::size_t row_;
  std::string before_;
  std::string after_;
};

/// Rethrows the current exception as a RowError for row `row` of the block, unless it already names
/// a place or does not concern the row.
[[noreturn]] void rethrow_in_row(std::size_t row);

/// Runs `body` for row `row` of a block; exceptions get the row's position.
template <class Body>
void in_row(std::size_t row, const Body& body) {
  try {
    body();
  } catch (...) {
    rethrow_in_row(row);
  }
}

}  // namespace semblance
