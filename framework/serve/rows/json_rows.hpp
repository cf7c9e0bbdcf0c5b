// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/row_lines.hpp"
#include "semblance_tables/model_row.hpp"
#include "serve/rows/given_rows.hpp"

namespace semblance::serving {

/// Rows in JSON: each an array of all values, or an object of values by the names of columns.
/// Values are read as those of a table are, true and false as 1 and 0, null as a missing one. Where
/// the model's source makes rows from texts, a row may also be a text, or have one in its place.
class JsonRows {
 public:
  /// `texts`: the reader of rows that are texts, if the model has such rows.
  explicit JsonRows(ModelRow row, std::unique_ptr<RowTexts> texts = nullptr)
      : row_(std::move(row)), texts_(std::move(texts)) {}

  /// Adds the rows of `{"rows": [...]}`. Exceptions name the row, counted from 1, or the byte of a
  /// JSON error.
  void read(std::string_view text, GivenRows& rows);
  /// Adds a line that is one row.
  void read_row(std::string_view line, GivenRows& rows);

  /// What a row calls its text; empty: rows are values.
  std::string text_name() const { return texts_ ? texts_->text_name() : ""; }
  /// Adds a row of these texts; `keys`: the names of an object's values. `has_texts`: some of them
  /// are texts in JSON, not numbers.
  void add(const std::vector<std::string>& keys, const std::vector<std::string>& texts,
           bool has_texts, GivenRows& rows);

 private:
  void read_values(const std::vector<std::string>& keys,
                   const std::vector<std::string_view>& fields);

  ModelRow row_;
  std::unique_ptr<RowTexts> texts_;
  bool begun_ = false;
  std::vector<std::string> keys_;  ///< of the last row; empty: it was an array
  std::vector<float> values_;
};

}  // namespace semblance::serving
