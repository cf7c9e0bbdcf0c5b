// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/source.hpp"
#include "semblance_tables/column_roles.hpp"
#include "semblance_tables/model_columns.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance {

/// What rows for a model may hold beside the values that it knows.
struct ModelRowRules {
  bool accepts_unknown = false;  ///< an unknown category makes all values of its column 0
  bool may_lack = false;         ///< a header may lack columns, whose values are 0
  /// All values are names, and this is the number that a name in a column of the model stands for.
  /// Throws Error if there is none.
  std::function<float(std::size_t column, std::string_view name)> number_of_name = nullptr;
  /// What a row is, for messages; empty: "the model takes rows of 3".
  std::string row = {};
};

/// Reads the fields of a table's lines as a row of a trained model: whether they come from a file,
/// from standard input or in a request. A column of categories, or of dates, has several values.
class ModelRow {
 public:
  /// Both must live as long.
  ModelRow(const NewData& model, const TableFormat& format, ModelRowRules rules = {});

  /// Whether a first line names the columns. Only if the model knows their names.
  bool is_header(std::span<const std::string_view> fields);
  /// Whether some columns hold categories or dates.
  bool may_have_texts(std::span<const std::string_view> fields) const {
    return columns_of(fields).any_texts();
  }
  /// Whether the model knows the names of its columns, for a first line of these fields.
  bool knows_names(std::span<const std::string_view> fields) const;

  /// Finds the columns of lines like this one, by `names`, those of a header, or else by position.
  /// Without names, and not in files, categories may be given in the model's form, one value each.
  ColumnRoles find(std::span<const std::string_view> fields, std::vector<std::string> names,
                   const ColumnFailure& fail);

  /// Reads a row. Throws Error with column, problem and remedy.
  void read(std::span<const std::string_view> fields, std::span<float> values);

  /// Names of the values of rows; empty: neither the model nor the table has any.
  std::vector<std::string> value_names(const ColumnRoles& roles) const;
  /// Once they are found.
  bool knows_names() const { return !columns_.names.empty() && columns_.from_header; }
  bool any_categories() const { return columns_.any_categories(); }
  /// Throws Error unless there are as many fields as in the first line.
  void check_fields(std::size_t fields) const;
  bool begun() const noexcept { return fields_in_line_ > 0; }
  bool has_fields(std::size_t count) const noexcept { return count == fields_in_line_; }
  const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  /// A column with values: its place in a line, and that of its first value in a row.
  struct Slot {
    std::size_t column;
    std::size_t place;
    std::map<std::string, std::size_t, std::less<>> categories = {};  ///< none: no categories
    std::optional<DateForm> date = {};
    bool of_category = false;  ///< its numbers are indicators of a category
  };

  ModelColumns columns_of(std::span<const std::string_view> fields) const;
  ExpectedColumns expected() const;
  void add_slots(const ColumnRoles& roles);
  ColumnRoles roles_of(const std::vector<std::string>& names, const ColumnFailure& fail);
  ColumnRoles by_value(const ColumnFailure& fail);
  std::string wrong_count(std::size_t fields) const;
  void check_given_once(std::span<const std::string> names, const ColumnFailure& fail) const;
  float number_of_name(const Slot& slot, std::string_view name) const;
  float number(const Slot& slot, std::string_view field);
  void read_date(const Slot& slot, std::string_view field, std::span<float> values) const;
  void read_category(const Slot& slot, std::string_view field, std::span<float> values) const;
  [[noreturn]] void fail_missing(const Slot& slot) const;
  std::string describe(const Slot& slot) const;

  const NewData& model_;
  const TableFormat& format_;
  ModelRowRules rules_;
  NumberForm numbers_;
  ModelColumns columns_;
  std::vector<std::string> names_;  ///< of all columns, by the header; empty: no header
  std::size_t fields_in_line_ = 0;  ///< 0: not known
  std::vector<Slot> slots_;
};

}  // namespace semblance
