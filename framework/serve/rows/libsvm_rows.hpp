// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "serve/rows/given_rows.hpp"

namespace semblance::serving {

/// Reads rows in LIBSVM's format, `index:value ...`, one per line; a preceding label is skipped.
/// Missing values are 0.
class LibsvmLines {
 public:
  /// `first_index`: the index of a row's first value, 0 or 1.
  explicit LibsvmLines(std::size_t first_index) : first_(first_index) {}

  /// Adds a row. Throws Error, which does not name the line.
  void read_row(std::string_view line, GivenRows& rows);

 private:
  void read_entry(std::string_view token, std::size_t width);

  std::size_t first_;
  std::vector<std::uint32_t> columns_;
  std::vector<float> values_;
};

}  // namespace semblance::serving
