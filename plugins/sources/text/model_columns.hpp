// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// A table's columns as a model names them. A column of categories is one value per category there,
/// `color=red`; those of a file without a header are `column 3`, `column 4=red`.
struct ModelColumns {
  std::vector<std::string> names;  ///< of the table's columns
  /// One a column: the categories in their order; nothing where its values are numbers.
  std::vector<std::optional<std::vector<std::string>>> categories;
  bool from_header = true;  ///< a header named them; else they are known by their order alone

  bool any_categories() const;
};

/// What the names of a model's values stand for. `fields` are those of the new data's first line: a
/// name that is found there is a column of numbers, whatever it looks like.
ModelColumns model_columns(std::span<const std::string> values,
                           std::span<const std::string_view> fields);

/// The name of a category's value: `color=red`.
std::string category_name(const std::string& column, const std::string& category);

/// What a column of a file without a header is called, from 0.
std::string numbered_column(std::size_t column);
bool is_numbered_column(std::string_view name);

}  // namespace semblance
