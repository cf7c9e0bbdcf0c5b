// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/date_numbers.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::serving {

/// The rules for values, as in the model's source.
struct ValueRules {
  bool keeps_missing = false;    ///< missing values are allowed: NaN, or a separate category
  bool accepts_unknown = false;  ///< categories unknown to the model are allowed: all its own are 0
  /// All values are names, and this is the number that a name in a column stands for. Throws Error,
  /// a sentence without subject, if there is none. Empty: values are no names.
  std::function<float(std::size_t column, std::string_view name)> number_of_name = nullptr;
};

/// The values of a model's rows by name. A column of categories has one value per category,
/// `color=blue`, `color=red`: it also has a name of its own, and its text determines which value is
/// 1. So has a column of dates, `when=weekday` and two more, whose text determines all three.
class RowColumns {
 public:
  /// No names: rows are read by position only.
  explicit RowColumns(std::vector<std::string> names, const ValueRules& rules = {});

  struct Field {
    std::size_t column = 0;               ///< of a number
    std::vector<std::size_t> categories;  ///< the columns of its categories; empty: a number
    std::optional<DateForm> date = {};    ///< these are the numbers of a date
    std::string name;
  };

  bool named() const noexcept { return !names_.empty(); }
  bool hold_names() const noexcept { return static_cast<bool>(rules_.number_of_name); }
  /// "the model takes rows of 3", which are that many values.
  std::string row_text(std::size_t width) const;
  /// Throws Error unless a row by position has this many values.
  void check_width(std::size_t given, std::size_t width) const;
  /// The number that a name in a column stands for. Throws Error if there is none.
  float number_of_name(std::size_t column, std::string_view name) const;
  const ValueRules& rules() const noexcept { return rules_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// The field called `name`; nullptr: none.
  const Field* field(std::string_view name) const;
  /// The same. Throws Error with the known names.
  const Field& known(std::string_view name) const;
  /// The column of the category `text`; nothing where an unknown category is allowed. Throws Error
  /// for other unknown categories.
  std::optional<std::size_t> category(const Field& field, std::string_view text) const;
  /// Whether the value of a column may be missing; not whether a row may lack a category.
  bool may_lack(std::size_t column) const;
  /// "'age'", or the number from 1 of a column without a name.
  std::string described(std::size_t column) const;

 private:
  std::vector<std::string> names_;
  ValueRules rules_;
  std::map<std::string, Field, std::less<>> fields_;
  std::set<std::size_t> dates_;  ///< the columns of dates
};

/// A row that is set value by value, by name.
class NamedRow {
 public:
  /// `sparse`: missing values are 0; otherwise they are missing.
  NamedRow(const RowColumns& columns, std::size_t width, bool sparse);

  void begin();
  /// These throw Error where the value is already set; set_text() also where the field has no
  /// category of that name.
  void set_number(const RowColumns::Field& field, float value);
  void set_text(const RowColumns::Field& field, std::string_view text);
  /// Sets a missing value. Throws Error where this is not allowed.
  void set_missing(const RowColumns::Field& field);
  /// All values. Throws Error where one is missing.
  std::span<const float> finish() const;

 private:
  void take(std::size_t column, float value);
  void set_date(const RowColumns::Field& field, std::string_view text);

  const RowColumns& columns_;
  bool sparse_;
  std::vector<float> values_;
  std::vector<char> given_;
};

}  // namespace semblance::serving
