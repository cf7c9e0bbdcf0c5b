// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/column_roles.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// The rows of a text table, split into fields. A row is a line, or several if a quoted field
/// contains line ends. Empty lines are skipped, as is a first line `sep=;`, by which spreadsheets
/// name the separator. Throws DataError naming the line and the problem.
class CsvRecords {
 public:
  /// Both must live as long.
  CsvRecords(LineReader& lines, const TableFormat& format) : lines_(lines), format_(format) {}

  /// False at the end. Fields are valid until the next call.
  bool next(std::vector<std::string_view>& fields);

  /// Whether the next one, read now, began with a quote; its separator, 0 for
  /// blanks.
  bool starts_with_quote() const noexcept { return starts_with_quote_; }
  char separator() const noexcept { return separator_; }

 private:
  bool next_line(std::string_view& line);
  void join_lines(std::string_view first);
  [[noreturn]] void fail(const std::string& what) const;

  LineReader& lines_;
  const TableFormat& format_;
  bool begun_ = false;
  bool starts_with_quote_ = false;
  char separator_ = 0;
  std::string joined_;  ///< lines of one record
  std::vector<std::string> owned_;
};

/// Whether the rows after the first line have one more field, with their names, as written by R.
bool header_lacks_row_names(const std::string& file, const TableFormat& format);

}  // namespace semblance::sources
