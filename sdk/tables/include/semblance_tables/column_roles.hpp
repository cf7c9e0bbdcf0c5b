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

#include "semblance/date_numbers.hpp"
#include "semblance/missing_mark.hpp"
#include "semblance_tables/column_lookup.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance {

/// The format of a text table.
struct TableFormat : FactNames {
  std::string separator = "auto";             ///< auto, comma, semicolon, tab, blank
  std::string header = "auto";                ///< auto, present, absent
  std::vector<std::string> ignore;            ///< names or numbers of columns
  std::vector<std::string> columns = {};      ///< those with values; empty: all that are left
  std::vector<std::string> categorical = {};  ///< names or numbers of columns, or only `auto`
  std::vector<std::string> dates = {};        ///< names or numbers of columns
  bool understands = false;  ///< columns that no parameter names are read as what they seem to be
  std::size_t number_categories = 0;  ///< then, that so few whole numbers may be of
  bool keeps_missing = false;         ///< as NaN, or as a separate category
  bool declares_types = false;        ///< as in .arff files, where only ? is a missing value
  bool decimal_comma = false;
  /// Rows for a model whose source has no parameters of columns.
  bool rows_alone = false;
  bool remedies = true;  ///< messages may name parameters

  /// Whether the columns without numbers are those of categories.
  bool finds_categorical() const { return categorical.size() == 1 && categorical[0] == "auto"; }

  /// Whether a model's columns may be those of categories, or of dates.
  bool may_have_categories() const {
    return !categorical.empty() || !dates.empty() || understands || declares_types || rows_alone;
  }

  /// Whether a field stands for a missing value.
  bool is_missing(std::string_view field) const {
    return declares_types ? field == "?" : marks_missing(field);
  }
};

/// The required columns of a file: those of the previous file or of a model.
struct ExpectedColumns {
  std::size_t count = 0;               ///< columns with values; 0: no requirement
  std::vector<std::string> names;      ///< their names, in the required order; empty: unknown
  std::string label;                   ///< name of the label column; empty: unknown
  std::vector<std::string> left_out;   ///< names of the columns that hold neither
  bool of_model = false;               ///< a model's: labels are not needed
  bool may_lack = false;               ///< as rows of a sparse model may: such values are 0
  std::vector<bool> categorical = {};  ///< one per column with values, in their order
  std::map<std::size_t, DateForm> dates = {};  ///< of columns with dates, by their place
  std::string group = {};                      ///< name of the column of groups; empty: unknown
  std::vector<std::string> targets = {};       ///< names of the target columns; empty: unknown
};

/// The role of each column of a file.
struct ColumnRoles {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::string> names;  ///< of all columns; empty without a header
  /// Columns with values, in the order in which they are wanted; none: expected, and may be
  /// lacking.
  std::vector<std::size_t> values;
  std::vector<bool> categorical;  ///< one per column with values: whether its values are
                                  ///< categories
  std::map<std::size_t, DateForm> dates = {};  ///< columns that hold dates
  std::size_t label = none;
  std::vector<std::size_t> targets = {};  ///< in the order of the parameter; none: not in the file
  std::size_t id = none;
  std::size_t weight = none;
  std::size_t group = none;

  /// "3 (age)", for messages.
  std::string describe(std::size_t column) const;
  /// Names of the targets: of their columns, or "target", "target 2" without a header.
  std::vector<std::string> target_names() const;
  /// Names of the columns with values.
  std::vector<std::string> value_names() const;
};

/// The roles of the columns of a file with this number of fields per line, by name if both this
/// file (`names`, else empty) and the expected columns have names, else by position.
ColumnRoles find_roles(std::size_t fields, std::vector<std::string> names,
                       const TableFormat& format, const ExpectedColumns& expected,
                       const ColumnFailure& fail);

/// Whether a first line names the columns, which are to have these names: it has all of them, or
/// some and not the numbers of a row, or no number.
bool are_names(std::span<const std::string_view> fields, std::span<const std::string> wanted,
               NumberForm& numbers);

}  // namespace semblance
