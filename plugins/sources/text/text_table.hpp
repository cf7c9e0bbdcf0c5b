// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
  /// The stored rows among those so far, unless all are wanted.
  std::vector<std::size_t> kept;
  ColumnPrecision precision;  ///< of the values of all files

  HeldRows held() const;
  /// Makes the last row row number `row`; those from there on move down.
  void move_last_to(std::size_t row);
  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return RowFacts::bytes() + double(values.size()) * sizeof(float) +
           double(kept.size()) * sizeof(std::size_t) + category_bytes() + precision.bytes();
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

  /// Checks the values, categories and id of a first line that may turn out to name the columns.
  /// Once all other rows are known, insert_withheld() or name_columns() follows.
  void withhold(std::span<const std::string_view> fields);
  /// Its approximate memory; 0 if there is none.
  double withheld_bytes() const noexcept { return withheld_bytes_; }
  /// Whether no row has any of its categories.
  bool has_new_categories(std::span<const std::string> fields) const;
  /// Makes it the file's first row. `line` is its line.
  void insert_withheld(std::span<const std::string> fields, std::size_t line);
  void name_columns(std::vector<std::string> names);

  /// At the end of the file: checks the conditions on all of its rows.
  void finish(Context& context);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_category_names() const;
  std::size_t line() const;
  void append_value(std::size_t slot, std::string_view field);
  float value_of(std::size_t column, std::string_view field, double& wide);
  std::string remedy(std::string_view field) const;
  float missing_value(std::size_t column) const;
  void append_category(std::size_t slot, std::string_view field);
  void append_no_values();
  void take_facts(std::span<const std::string_view> fields, std::string_view weight);
  [[noreturn]] void refuse(Fact fact, std::size_t target, const std::string& what) const;
  std::string_view category_of(std::string_view field) const;
  void check_category(std::size_t column, std::string_view field) const;
  void keep_if_wanted();
  void drop_unwanted();
  void record_columns(Context& context);
  void log_matching(bool named, bool known, Context& context) const;

  const LineReader& lines_;
  const TableFormat& format_;
  TextTable& table_;
  NumberForm numbers_;
  FactRules rules_;
  RowFacts::Refuse refuse_;
  FactTexts facts_;                ///< of the last line
  std::size_t first_row_;          ///< of this file's
  double withheld_bytes_ = 0;      ///< of a first line that may be a row
  std::size_t withheld_line_ = 0;  ///< while it is inserted: its line
  ColumnRoles roles_;
  std::vector<std::size_t> numeric_;      ///< columns of numbers, in the order of the values
  std::vector<std::size_t> categorical_;  ///< columns of categories
};

}  // namespace semblance::sources
