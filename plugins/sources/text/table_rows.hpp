// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/line_reader.hpp"
#include "text/text_table.hpp"
#include "text_values.hpp"

namespace semblance::sources {

/// Adds the rows of one file with known columns to a table.
class TableRows {
 public:
  /// All arguments must outlive this object.
  TableRows(const LineReader& lines, const TableFormat& format, TextTable& table);

  /// Sets the roles of the columns. Those of the first file, or of a model, determine those of
  /// later files.
  void begin(ColumnRoles roles);
  const ColumnRoles& roles() const noexcept { return roles_; }

  /// Appends the fields of the last line read as a row. `in_doubt`: they may turn out to name the
  /// columns, which settle_first() or make_header() decides. `weight`: that of the row, if rows
  /// have weights.
  void append(std::span<const std::string_view> fields, bool in_doubt = false,
              std::string_view weight = "1");
  std::size_t rows() const noexcept { return table_.rows() - first_row_; }

  /// Whether no later row has any of the first row's categories.
  bool first_has_new_categories(std::span<const std::string> fields) const;
  /// Confirms that the first row, which was in doubt, is a row. `line` is its line.
  void settle_first(std::span<const std::string> fields, std::size_t line);
  /// The first row, which was in doubt, names the columns.
  void make_header(std::vector<std::string> names);

  /// At the end of the file: checks the conditions on all of its rows.
  void finish(Context& context);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_category_names() const;
  void append_value(std::size_t slot, std::string_view field, bool in_doubt);
  std::string remedy(std::string_view field) const;
  float missing_value(std::size_t column) const;
  void append_category(std::size_t slot, std::string_view field, bool in_doubt);
  void append_label(std::span<const std::string_view> fields, bool in_doubt);
  std::int32_t label_of(std::string_view field, const std::string& place);
  bool is_left_out(std::span<const std::string_view> fields) const;
  void append_left_out();
  void append_id(std::span<const std::string_view> fields);
  void append_weight(std::span<const std::string_view> fields, bool in_doubt,
                     std::string_view weight);
  double weight_of(std::string_view field, const std::string& place);
  bool has_weights() const;
  std::int32_t group_of(std::string_view field, const std::string& place);
  void append_group(std::span<const std::string_view> fields, bool in_doubt);
  bool has_groups() const;
  std::string_view category_of(std::string_view field) const;
  void check_category(std::size_t column, std::string_view field) const;
  void keep_if_wanted(bool in_doubt);
  void drop_unwanted();
  void forget_values_of_first_row();
  void note_first_row(std::span<const std::string> fields);
  void record_columns(Context& context);
  void log_matching(bool named, bool known, Context& context) const;

  const LineReader& lines_;
  const TableFormat& format_;
  TextTable& table_;
  NumberForm numbers_;
  std::size_t first_row_;  ///< of this file's
  bool doubtful_ = false;  ///< whether the first line is a row
  ColumnRoles roles_;
  std::vector<std::size_t> numeric_;      ///< columns of numbers, in the order of the values
  std::vector<std::size_t> categorical_;  ///< columns of categories
  std::vector<float> first_values_;       ///< of the row that is in doubt
};

}  // namespace semblance::sources
