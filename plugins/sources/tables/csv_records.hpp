// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.hpp"
#include "semblance/context.hpp"
#include "semblance_tables/column_roles.hpp"
#include "semblance_tables/field_splitter.hpp"

namespace semblance::sources {

/// The rows of a text table, split into fields. A row is a line, or several if a quoted field
/// contains line ends. Empty lines are skipped, as is a first line `sep=;`, by which spreadsheets
/// name the separator. Throws DataError naming the line and the problem.
class CsvRecords {
 public:
  /// Both must live as long.
  CsvRecords(LineReader& lines, const TableFormat& format)
      : lines_(lines),
        splitter_(format,
                  "set 'decimal: comma' if they are decimal ones, else 'separator: comma'") {}

  /// False at the end. Fields are valid until the next call.
  bool next(std::vector<std::string_view>& fields);

  /// Whether the one just read began with a quote; its separator, 0 for blanks.
  bool starts_with_quote() const noexcept { return starts_with_quote_; }
  char separator() const noexcept { return splitter_.separator(); }

 private:
  bool next_line(std::string_view& line);
  [[noreturn]] void fail(const std::string& what) const;

  LineReader& lines_;
  FieldSplitter splitter_;
  bool begun_ = false;
  bool starts_with_quote_ = false;
  std::string joined_;  ///< lines of one record
};

/// Whether the rows after the first line have one more field, with their names, as written by R.
bool header_lacks_row_names(const std::string& file, const TableFormat& format);

/// The content of a file's column. The first line, which may name the columns, counts only if the
/// others are inconclusive.
struct ColumnType {
  bool numbers = false;  ///< some values are numbers
  std::string text;      ///< the first value that is neither a number nor missing
  std::size_t line = 0;  ///< its line; 0: none
};

/// Looks at all columns of a file. Rows that differ in their number of fields are left for others
/// to report.
std::vector<ColumnType> column_types(const std::string& file, const TableFormat& format,
                                     Context& context);

/// Whether a column without numbers has categories. A column with numbers and texts, or one that
/// looks like dates or numbers in another form, is reported to `fail`. `column` is its name in
/// messages.
bool holds_categories(const ColumnType& type, const std::string& column, const TableFormat& format,
                      const ColumnFailure& fail);

}  // namespace semblance::sources
