// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.hpp"
#include "rows/column_precision.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_facts.hpp"
#include "semblance/context.hpp"
#include "semblance_tables/column_roles.hpp"
#include "semblance_tables/model_row.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"

namespace semblance::sources {

/// The format of a text file of rows.
struct FileFormat : TableFormat {
  LabelRule labels = {};
  bool row_weights = false;  ///< rows of .arff have their weight in braces
};

/// The rows of one or several text files: numbers row by row, and columns of categories. For a
/// model, all values are numbers, those of the model's rows.
struct TextTable : RowFacts {
  const NewData* model = nullptr;  ///< null: rows are learned from
  bool accepts_unknown = false;    ///< ModelRowRules

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
    return RowFacts::bytes() + growing_bytes(values, precision.columns() + 1) +
           double(held.bytes()) + category_bytes() + precision.bytes();
  }
  double category_bytes() const noexcept {
    double sum = 0;
    for (const CategoryColumn& column : categorical) sum += column.bytes();
    return sum;
  }
};

/// Adds the rows of one file with known columns to a table.
class TableRows {
 public:
  /// All arguments must outlive this object.
  TableRows(const LineReader& lines, const FileFormat& format, TextTable& table);

  /// The roles of columns with this header (empty: none) and these fields in the first line. Those
  /// of an earlier file, or of a model, determine them.
  ColumnRoles find(std::span<const std::string_view> fields, std::vector<std::string> names,
                   const ColumnFailure& fail);
  /// Sets the roles.
  void begin(ColumnRoles roles);
  /// Whether a first line names the columns; nothing if their names are not known.
  std::optional<bool> names_known_columns(std::span<const std::string_view> fields);
  const ColumnRoles& roles() const noexcept { return roles_; }

  /// Fails unless the last line has as many fields as the first.
  void check_fields(std::size_t fields, std::size_t first_line) const;
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
  void append_values(std::span<const std::string_view> fields, bool left_out);
  void append_category(std::size_t slot, std::string_view field);
  void take_facts(std::span<const std::string_view> fields, std::string_view weight);
  std::string name_of(Fact fact, std::size_t target) const;
  void record_columns(Context& context);
  void record_values();
  void log_matching(bool named, bool known, Context& context) const;

  const LineReader& lines_;
  const FileFormat& format_;
  TextTable& table_;
  std::optional<ModelRow> model_;
  NumberForm numbers_;
  FactRules rules_;
  RowFacts::Fail fail_;
  FactTexts facts_;  ///< of the last line
  std::size_t fields_in_line_ = 0;
  std::size_t first_row_;  ///< of this file's
  ColumnRoles roles_;
  std::vector<Number> numeric_;           ///< in the order of the values
  std::vector<std::size_t> categorical_;  ///< columns of categories
};

}  // namespace semblance::sources
