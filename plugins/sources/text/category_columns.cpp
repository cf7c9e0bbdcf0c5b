// SPDX-License-Identifier: MIT
#include "text/category_columns.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "text_values.hpp"

namespace semblance::sources {

void CategoryColumn::add(std::string_view text, const std::string& file, std::size_t line) {
  codes_.push_back(names_.add(text));
  if (static_cast<std::size_t>(codes_.back()) == first_seen_.size())
    first_seen_.push_back({file, line});
}

bool CategoryColumn::knows(std::string_view text) const {
  return names_.knows(text) ||
         (fixed_ && std::ranges::find(*fixed_, canonical_label(text)) != fixed_->end());
}

double CategoryColumn::bytes() const noexcept {
  return double(codes_.size()) * sizeof(std::int32_t) + double(names_.bytes());
}

void CategoryColumn::learn(const std::vector<std::size_t>& training_rows) {
  std::vector<bool> present(names_.names().size(), false);
  for (const std::size_t row : training_rows)
    present[static_cast<std::size_t>(codes_.at(row))] = true;
  if (declared_) {
    for (std::size_t code = 0; code < present.size(); ++code)
      if (present[code] && names_.names()[code] == missing) fixed_->emplace_back(missing);
  } else if (!fixed_) {
    ClassNames trained;
    for (std::size_t code = 0; code < present.size(); ++code)
      if (present[code]) trained.add(names_.names()[code]);
    trained.sort({});
    fixed_ = trained.names();
  }
  number_categories();
}

void CategoryColumn::number_categories() {
  std::map<std::string, std::int32_t, std::less<>> numbers;
  for (const std::string& category : *fixed_)
    numbers.emplace(category, static_cast<std::int32_t>(numbers.size()));
  places_.clear();
  places_.reserve(names_.names().size());
  for (const std::string& name : names_.names()) {
    const auto found = numbers.find(name);
    places_.push_back(found == numbers.end() ? -1 : found->second);
  }
}

std::optional<std::size_t> CategoryColumn::category(std::size_t row) const {
  const std::int32_t code = codes_.at(row);
  const std::int32_t place = code == not_set ? -1 : places_[static_cast<std::size_t>(code)];
  if (place < 0) return std::nullopt;
  return static_cast<std::size_t>(place);
}

std::optional<CategoryColumn::Stranger> CategoryColumn::first_stranger() const {
  for (const std::int32_t code : codes_) {
    if (code == not_set) continue;
    const auto name = static_cast<std::size_t>(code);
    if (places_[name] < 0)
      return Stranger{names_.names()[name], first_seen_[name].file, first_seen_[name].line};
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view number_prefix = "column ";

}  // namespace

bool ModelColumns::any_categories() const {
  return std::ranges::any_of(categories, [](const auto& c) { return c.has_value(); });
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

}  // namespace semblance::sources
