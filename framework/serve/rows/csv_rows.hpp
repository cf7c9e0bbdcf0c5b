// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/rows/given_rows.hpp"
#include "serve/rows/row_columns.hpp"

namespace semblance::serving {

/// Whether the first line of a table names the columns.
enum class Header { present, absent, find_out };

/// Reads rows of comma-separated values, one a line: by position, or by the names in a header. What
/// its members throw does not say which line it is; the caller does.
class CsvLines {
 public:
  CsvLines(const RowColumns& columns, std::size_t width, bool sparse);

  /// The first line, which names the columns. Throws Error where these are not the model's.
  void read_header(std::string_view line);
  /// Whether the first line names the columns: it does where it holds their names, and does not
  /// where it holds numbers. Throws Error where it can be either.
  bool is_header(std::string_view line);
  /// Adds a row. Throws Error.
  void read_row(std::string_view line, GivenRows& rows);

 private:
  void split(std::string_view line);
  void read_by_name(GivenRows& rows);

  const RowColumns& columns_;
  std::size_t width_;
  std::vector<const RowColumns::Field*> header_;  ///< what the fields are; empty: by position
  NamedRow named_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> unquoted_;
  std::vector<float> values_;
};

/// Takes the next line off `text`, without its LF or CRLF. Nothing where there is none.
std::optional<std::string_view> take_line(std::string_view& text);

/// Adds the rows of a whole table. What it throws names the line.
void read_csv(std::string_view text, Header header, const RowColumns& columns, GivenRows& rows);

}  // namespace semblance::serving
