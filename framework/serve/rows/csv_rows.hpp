// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/row_lines.hpp"
#include "serve/rows/given_rows.hpp"
#include "serve/rows/row_columns.hpp"

namespace semblance::serving {

/// Whether the first line of a table names the columns.
enum class Header { present, absent, find_out };

/// Rows of comma-separated values, by position or by the names in a header, for models whose
/// sources do not read lines themselves.
class CsvLines final : public RowLines {
 public:
  CsvLines(const RowColumns& columns, std::size_t width, bool sparse);

  bool is_preamble(std::string_view) override { return false; }
  bool is_open(std::string_view) override { return false; }
  /// True if it holds the columns' names, false if it holds numbers.
  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  void split(std::string_view line);
  float number_of(std::string_view field, std::size_t column, const std::string& name) const;
  void read_by_name(std::span<float> values);

  const RowColumns& columns_;
  std::size_t width_;
  std::vector<const RowColumns::Field*> header_;  ///< the fields' columns; empty: by position
  NamedRow named_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> unquoted_;
};

/// Removes the next line from `text`, without its LF or CRLF. Nothing where there is none.
std::optional<std::string_view> take_line(std::string_view& text, char line_end = '\n');

/// Adds the rows of a whole table, skipping empty lines as in files. Exceptions name the line.
void read_csv(std::string_view text, Header header, RowLines& lines, GivenRows& rows);

}  // namespace semblance::serving
