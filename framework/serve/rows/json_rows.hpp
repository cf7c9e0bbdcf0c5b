// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semblance_tables/model_row.hpp"
#include "serve/rows/given_rows.hpp"

namespace semblance::serving {

/// Rows in JSON: each an array of all values, or an object of values by the names of columns.
/// Values are read as those of a table are, true and false as 1 and 0, null as a missing one.
class JsonRows {
 public:
  explicit JsonRows(ModelRow row) : row_(std::move(row)) {}

  /// Adds the rows of `{"rows": [...]}`. Exceptions name the row, counted from 1, or the byte of a
  /// JSON error.
  void read(std::string_view text, GivenRows& rows);
  /// Adds a line that is one row.
  void read_row(std::string_view line, GivenRows& rows);

  /// Adds a row of these texts; `keys`: the names of an object's values.
  void add(const std::vector<std::string>& keys, const std::vector<std::string>& texts,
           GivenRows& rows);

 private:
  ModelRow row_;
  bool begun_ = false;
  std::vector<std::string> keys_;  ///< of the last row; empty: it was an array
  std::vector<float> values_;
};

}  // namespace semblance::serving
