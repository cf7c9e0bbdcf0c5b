// SPDX-License-Identifier: MIT
#include "semblance_tables/model_columns.hpp"

#include <algorithm>
#include <unordered_set>

namespace semblance {
namespace {

constexpr std::string_view number_prefix = "column ";

}  // namespace

bool ModelColumns::any_categories() const {
  return std::ranges::any_of(categories, [](const auto& c) { return c.has_value(); });
}

bool ModelColumns::any_texts() const {
  return any_categories() ||
         std::ranges::any_of(dates, [](const auto& form) { return form.has_value(); });
}

ModelColumns model_columns(std::span<const std::string> values,
                           std::span<const std::string_view> fields) {
  const std::unordered_set<std::string_view> known(fields.begin(), fields.end());
  ModelColumns columns;
  for (const std::string& value : values) {
    const std::size_t sign = value.find('=');
    if (sign == value.npos || known.contains(value)) {
      columns.names.push_back(value);
      columns.categories.emplace_back();
      continue;
    }
    const std::string name = value.substr(0, sign);
    // The categories of a column are adjacent.
    if (columns.names.empty() || columns.names.back() != name || !columns.categories.back()) {
      columns.names.push_back(name);
      columns.categories.emplace_back(std::in_place);
    }
    columns.categories.back()->push_back(value.substr(sign + 1));
  }
  for (auto& categories : columns.categories) {
    columns.dates.push_back(categories ? form_of_dates(*categories) : std::nullopt);
    if (columns.dates.back()) categories.reset();
  }
  columns.from_header =
      !columns.any_categories() || !std::ranges::all_of(columns.names, [](const std::string& name) {
        return is_numbered_column(name);
      });
  return columns;
}

std::string category_name(const std::string& column, const std::string& category) {
  return column + "=" + category;
}

std::string numbered_column(std::size_t column) {
  return std::string(number_prefix) + std::to_string(column + 1);
}

bool is_numbered_column(std::string_view name) {
  if (!name.starts_with(number_prefix)) return false;
  name.remove_prefix(number_prefix.size());
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

}  // namespace semblance
