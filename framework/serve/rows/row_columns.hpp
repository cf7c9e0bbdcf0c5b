// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance::serving {

/// What a message quotes from a row: cut short, without control characters.
std::string in_quotes(std::string_view text);

/// What rows may have, as the model's source was told.
struct ValueRules {
  bool keeps_missing = false;    ///< values that are missing: NaN, or a category of their own
  bool accepts_unknown = false;  ///< categories that the model does not know: none of its own is 1
};

/// The values of a model's rows by their names. A column of categories has one value per category,
/// `color=blue`, `color=red`: it is known by its own name too, and its text says which is 1.
class RowColumns {
 public:
  /// No names: rows are known by position alone.
  explicit RowColumns(std::vector<std::string> names, const ValueRules& rules = {});

  struct Field {
    std::size_t column = 0;               ///< of a number
    std::vector<std::size_t> categories;  ///< the columns of its categories; none: a number
    std::string name;
  };

  bool named() const noexcept { return !names_.empty(); }
  const ValueRules& rules() const noexcept { return rules_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// What `name` means; nullptr: nothing.
  const Field* field(std::string_view name) const;
  /// The same. Throws Error with what there is instead.
  const Field& known(std::string_view name) const;
  /// Whether these are the names of all values, each once, in any order.
  bool are_all(std::span<const std::string_view> names) const;
  /// The column of the category that `text` is; nothing where it may be none. Throws Error where
  /// the model knows none of that name.
  std::optional<std::size_t> category(const Field& field, std::string_view text) const;
  /// Whether the value of a column may be missing: not whether a row has a category.
  bool may_lack(std::size_t column) const;
  /// "'age'", or the number from 1 of a column without a name.
  std::string described(std::size_t column) const;

 private:
  std::vector<std::string> names_;
  ValueRules rules_;
  std::map<std::string, Field, std::less<>> fields_;
};

/// A row that is given value by value, by name.
class NamedRow {
 public:
  /// `sparse`: a value that is not given is 0; else it is missing.
  NamedRow(const RowColumns& columns, std::size_t width, bool sparse);

  void begin();
  /// These throw Error where the value was given before; set_text() also where the field has no
  /// category of that name.
  void set_number(const RowColumns::Field& field, float value);
  void set_text(const RowColumns::Field& field, std::string_view text);
  /// The value is missing. Throws Error where it must not be.
  void set_missing(const RowColumns::Field& field);
  /// All values. Throws Error where one is missing.
  std::span<const float> finish() const;

 private:
  void take(std::size_t column, float value);

  const RowColumns& columns_;
  bool sparse_;
  std::vector<float> values_;
  std::vector<char> given_;
};

}  // namespace semblance::serving
