// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/date_numbers.hpp"

namespace semblance {

/// The name of the category of missing values.
inline constexpr const char* missing_category = "";

/// A table's columns in a model's terms. A column of categories is one value per category there,
/// `color=red`, and one of dates is three, `when=weekday` among them; those of a file without a
/// header are `column 3`, `column 4=red`.
struct ModelColumns {
  std::vector<std::string> names;  ///< of the table's columns
  /// One per column: the categories in their order; empty if its values are numbers.
  std::vector<std::optional<std::vector<std::string>>> categories;
  /// One per column: how its dates are written; empty: it has none.
  std::vector<std::optional<DateForm>> dates;
  bool from_header = true;  ///< whether a header named them; else only their order is known

  bool any_categories() const;
  bool any_texts() const;  ///< or dates
};

/// Interprets the names of a model's values. `fields` are those of the new data's first line: a
/// name found there is a column of numbers, whatever it looks like.
ModelColumns model_columns(std::span<const std::string> values,
                           std::span<const std::string_view> fields);

/// The name of a category's value: `color=red`.
std::string category_name(const std::string& column, const std::string& category);

/// The name of a column, counted from 0, of a file without a header.
std::string numbered_column(std::size_t column);
bool is_numbered_column(std::string_view name);

}  // namespace semblance
