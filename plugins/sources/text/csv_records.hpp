// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/row_lines.hpp"
#include "semblance/table_fields.hpp"
#include "text/column_roles.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// Splits lines into fields. The separator is the format's, that of a line `sep=;`, by which
/// spreadsheets name it, or what the first line shows: blanks and tabs are its last choice.
class FieldSplitter {
 public:
  /// `remedy`: for a first line whose commas may be decimal ones. The format must live as long.
  FieldSplitter(const TableFormat& format, std::string remedy)
      : format_(format), remedy_(std::move(remedy)) {}

  /// Whether a first line only names the separator.
  bool take_preamble(std::string_view line);
  /// Fields are valid until the next call. Throws Error if the first line is ambiguous.
  FieldSplit split(std::string_view line, std::vector<std::string_view>& fields);
  /// 0 for blanks.
  char separator() const noexcept { return separator_.value_or('\0'); }

 private:
  char separator_of(std::string_view line) const;

  const TableFormat& format_;
  std::string remedy_;
  std::optional<char> separator_;
  bool begun_ = false;
  std::vector<std::string> owned_;
};

/// The lines of a table for a model, one row each.
class TableRowLines : public RowLines {
 public:
  bool is_preamble(std::string_view line) override { return splitter_.take_preamble(line); }
  bool is_open(std::string_view lines) override {
    return splitter_.split(lines, fields_) == FieldSplit::open_quote;
  }

 protected:
  explicit TableRowLines(TableFormat format)
      : format_(std::move(format)), splitter_(format_, "write numbers with points") {}
  TableRowLines(const TableRowLines&) = delete;
  TableRowLines& operator=(const TableRowLines&) = delete;

  /// Sets the fields; throws Error if quotes are wrong.
  void split(std::string_view line);

  TableFormat format_;
  std::vector<std::string_view> fields_;
  FieldSplitter splitter_;
};

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
  FieldSplit join_lines(std::string_view first, std::vector<std::string_view>& fields);
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
                      const RoleFailure& fail);

}  // namespace semblance::sources
