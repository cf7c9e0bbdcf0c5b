// SPDX-License-Identifier: MIT
#include "serve/rows/row_columns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/missing_mark.hpp"
#include "support/did_you_mean.hpp"
#include "support/json_text.hpp"

namespace semblance::serving {

RowColumns::RowColumns(std::vector<std::string> names, const ValueRules& rules)
    : names_(std::move(names)), rules_(rules) {
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const std::size_t sign = names_[k].find('=');
    if (sign == std::string::npos) continue;
    Field& field = fields_[names_[k].substr(0, sign)];
    field.categories.push_back(k);
    field.name = names_[k].substr(0, sign);
  }
  for (auto& [name, field] : fields_) {
    std::vector<std::string> tails;
    for (const std::size_t k : field.categories) tails.push_back(names_[k].substr(name.size() + 1));
    field.date = form_of_dates(tails);
    if (field.date) dates_.insert(field.categories.begin(), field.categories.end());
  }
  for (std::size_t k = 0; k < names_.size(); ++k) fields_[names_[k]] = {k, {}, {}, names_[k]};
}

std::string RowColumns::row_text(std::size_t width) const {
  if (!hold_names()) return "the model takes rows of " + std::to_string(width);
  std::string names;
  for (const std::string& name : names_) names += (names.empty() ? "" : " and ") + one_line(name);
  return "a row of this model is " + std::to_string(width) + " names, those of " + names;
}

void RowColumns::check_width(std::size_t given, std::size_t width) const {
  if (given != width)
    throw Error("has " + std::to_string(given) + (given == 1 ? " value" : " values") + ", but " +
                row_text(width));
}

float RowColumns::number_of_name(std::size_t column, std::string_view name) const {
  try {
    return rules_.number_of_name(column, name);
  } catch (const Error& problem) {
    throw Error("column " + described(column) + " " + problem.what());
  }
}

const RowColumns::Field* RowColumns::field(std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

const RowColumns::Field& RowColumns::known(std::string_view name) const {
  if (!named())
    throw Error(
        "the model's columns have no names; give the values by position, in the order of the "
        "training data");
  if (const Field* found = field(name)) return *found;
  constexpr std::size_t few = 1000;  // each is compared with the name, which is untrusted
  const std::string hint =
      names_.size() > few ? "" : did_you_mean(one_line(std::string(name.substr(0, 100))), names_);
  throw Error("the model has no column " + in_quotes(name) + "; " +
              (hint.empty() ? "remove it" : hint));
}

std::optional<std::size_t> RowColumns::category(const Field& field, std::string_view text) const {
  std::string all;
  for (const std::size_t column : field.categories) {
    const std::string_view name = std::string_view(names_[column]).substr(field.name.size() + 1);
    if (name == text) return column;
    if (all.size() < 200)
      all += (all.empty() ? "" : ", ") + in_quotes(name);
    else if (!all.ends_with("..."))
      all += ", ...";
  }
  if (marks_missing(text)) {
    // A missing value that is a separate category has no name.
    if (rules_.keeps_missing && !text.empty()) return category(field, "");
    if (!rules_.keeps_missing || !rules_.accepts_unknown)
      throw Error("the column '" + field.name + "' has no value; give one, or omit the row");
  }
  if (rules_.accepts_unknown) return std::nullopt;
  throw Error("the column '" + field.name + "' has no category " + in_quotes(text) +
              "; the model knows " + all);
}

bool RowColumns::may_lack(std::size_t column) const {
  return rules_.keeps_missing &&
         (column >= names_.size() || names_[column].find('=') == std::string::npos ||
          dates_.contains(column));
}

std::string RowColumns::described(std::size_t column) const {
  return column < names_.size() ? "'" + one_line(names_[column]) + "'" : std::to_string(column + 1);
}

NamedRow::NamedRow(const RowColumns& columns, std::size_t width, bool sparse)
    : columns_(columns), sparse_(sparse), values_(width), given_(width) {}

void NamedRow::begin() {
  std::ranges::fill(values_, 0.0F);
  std::ranges::fill(given_, char{0});
}

void NamedRow::take(std::size_t column, float value) {
  if (given_[column] != 0)
    throw Error("the column " + columns_.described(column) + " is given twice; give it once");
  given_[column] = 1;
  values_[column] = value;
}

void NamedRow::set_number(const RowColumns::Field& field, float value) {
  if (!field.categories.empty())
    throw Error("the column '" + field.name + "' holds " +
                (field.date ? "dates, not numbers; give its date as a text"
                            : "categories, not numbers; give its category as a text"));
  take(field.column, value);
}

void NamedRow::set_date(const RowColumns::Field& field, std::string_view text) {
  const auto numbers = date_numbers(text, *field.date);
  const bool missing = !numbers && marks_missing(text);
  if (missing && !columns_.rules().keeps_missing)
    throw Error("the column '" + field.name + "' has no value; give one, or omit the row");
  if (!numbers && !missing)
    throw Error("the column '" + field.name + "' has " + in_quotes(text) +
                ", which is not a date such as 2024-05-31 or 2024-05-31 12:30; correct it");
  for (std::size_t k = 0; k < field.categories.size(); ++k)
    take(field.categories[k], numbers ? (*numbers)[k] : std::numeric_limits<float>::quiet_NaN());
}

void NamedRow::set_text(const RowColumns::Field& field, std::string_view text) {
  if (columns_.hold_names()) return take(field.column, columns_.number_of_name(field.column, text));
  if (field.date) return set_date(field, text);
  const auto chosen = columns_.category(field, text);
  for (const std::size_t column : field.categories) take(column, column == chosen ? 1.0F : 0.0F);
}

void NamedRow::set_missing(const RowColumns::Field& field) {
  if (!field.categories.empty()) return set_text(field, "");
  if (!columns_.may_lack(field.column))
    throw Error("has no value (null) in column " + in_quotes(field.name) +
                "; give one, or omit the row");
  take(field.column, std::numeric_limits<float>::quiet_NaN());
}

std::span<const float> NamedRow::finish() const {
  if (sparse_) return values_;
  const auto missing = std::ranges::find(given_, char{0});
  if (missing != given_.end())
    throw Error("has no value for the column " +
                columns_.described(static_cast<std::size_t>(missing - given_.begin())) +
                "; give all columns of the model");
  return values_;
}

}  // namespace semblance::serving
