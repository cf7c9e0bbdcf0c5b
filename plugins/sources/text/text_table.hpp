// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "column_precision.hpp"
#include "row_facts.hpp"
#include "semblance/context.hpp"
#include "text/category_columns.hpp"
#include "text/column_roles.hpp"
#include "text/line_reader.hpp"
#include "text_values.hpp"

namespace semblance::sources {

/// The rows of one or several text files: numbers row by row, and columns of categories.
struct TextTable : RowFacts {
  /// The required columns of the next file; updated by each file.
  ExpectedColumns expected;
  std::size_t cols = 0;  ///< columns of numbers
  /// For the first file: its columns with values, in the order of the values.
  std::vector<std::string> columns;         ///< their names; empty: it has no header
  std::vector<std::size_t> places;          ///< their lines
  std::vector<bool> is_categorical;         ///< whether they hold categories
  WantedRows wanted;                        ///< of the rows, counted over all files
  std::vector<float> values;                ///< numbers of the rows that are wanted; NaN: missing
  std::vector<CategoryColumn> categorical;  ///< of all rows
  HeldRows held;                            ///< the rows with values, unless all are wanted
  ColumnPrecision precision;                ///< of the values of all files

  /// The number of rows with values.
  std::size_t stored_rows() const noexcept { return wanted.all() ? rows() : held.held(); }
  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return RowFacts::bytes() + double(values.size()) * sizeof(float) + double(held.bytes()) +
           category_bytes() + precision.bytes();
  }
  double category_bytes() const noexcept {
    double sum = 0;
    for (const CategoryColumn& column : categorical) sum += column.bytes();
    return sum;
  }
};

/// Converts a model's expectations from names of values, one per category, to columns of a file
/// whose first line, or header, has these fields.
void decode_model_columns(TextTable& table, std::span<const std::string_view> fields);

/// Adds the rows of one file with known columns to a table.
class TableRows {
 public:
  /// All arguments must outlive this object.
  TableRows(const LineReader& lines, const TableFormat& format, TextTable& table);

  /// Sets the roles of the columns. Those of the first file, or of a model, determine those of
  /// later files.
  void begin(ColumnRoles roles);
  const ColumnRoles& roles() const noexcept { return roles_; }

  /// Appends the fields of the last line read as a row. `weight`: that of the row, if rows have
  /// weights.
  void append(std::span<const std::string_view> fields, std::string_view weight = "1");
  /// Of this file.
  std::size_t rows() const noexcept { return table_.rows() - first_row_; }

  /// At the end of the file: checks the conditions on all of its rows.
  void finish(Context& context);

 private:
  /// A number: that of a column, or one of a date's.
  struct Number {
    std::size_t column;
    std::optional<DateForm> date;
    std::size_t part = 0;
  };

  [[noreturn]] void fail(const std::string& what) const;
  void check_category_names() const;
  float date_value(const Number& number, std::string_view field) const;
  void append_value(std::size_t slot, std::string_view field);
  std::string remedy(std::string_view field) const;
  float missing_value(std::size_t column) const;
  void append_category(std::size_t slot, std::string_view field);
  void take_facts(std::span<const std::string_view> fields, std::string_view weight);
  std::string name_of(Fact fact, std::size_t target) const;
  void record_columns(Context& context);
  void log_matching(bool named, bool known, Context& context) const;

  const LineReader& lines_;
  const TableFormat& format_;
  TextTable& table_;
  NumberForm numbers_;
  FactRules rules_;
  RowFacts::Fail fail_;
  FactTexts facts_;        ///< of the last line
  std::size_t first_row_;  ///< of this file's
  ColumnRoles roles_;
  std::vector<Number> numeric_;           ///< in the order of the values
  std::vector<std::size_t> categorical_;  ///< columns of categories
};

}  // namespace semblance::sources
