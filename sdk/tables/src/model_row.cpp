// SPDX-License-Identifier: MIT
#include "semblance_tables/model_row.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/label_names.hpp"

namespace semblance {
namespace {

using Categories = std::map<std::string, std::size_t, std::less<>>;

/// JSON spells truth values `true` and `false` only; Python writes them as True, R as TRUE.
Categories::const_iterator find_category(const Categories& categories, const std::string& name) {
  const auto found = categories.find(name);
  const bool yes = name == "true";
  if (found != categories.end() || (!yes && name != "false")) return found;
  const auto capitalized = categories.find(yes ? "True" : "False");
  return capitalized != categories.end() ? capitalized : categories.find(yes ? "TRUE" : "FALSE");
}

/// "'blue', 'red', ..."
std::string listed(const Categories& categories) {
  constexpr std::size_t longest = 200;
  std::map<std::size_t, std::string_view> in_order;
  for (const auto& [name, place] : categories) in_order[place] = name;
  std::string all;
  for (const auto& [place, name] : in_order) {
    if (all.size() >= longest) return all + ", ...";
    all += (all.empty() ? "" : ", ") + in_quotes(name);
  }
  return all;
}

/// Whether a value is called like color=red, and not like a date's number, when=weekday.
bool is_category_name(const std::string& value) {
  const std::size_t sign = value.find('=');
  if (sign == value.npos) return false;
  return std::ranges::none_of(std::array{DateForm::day_first, DateForm::month_first},
                              [&](DateForm form) {
                                const auto own = date_names(value.substr(0, sign), form);
                                return std::ranges::find(own, value) != own.end();
                              });
}

}  // namespace

ModelRow::ModelRow(const NewData& model, const TableFormat& format, ModelRowRules rules)
    : model_(model), format_(format), rules_(std::move(rules)), numbers_(format.decimal_comma) {}

/// The model's columns, given the fields of a first line.
ModelColumns ModelRow::columns_of(std::span<const std::string_view> fields) const {
  if (format_.may_have_categories()) return model_columns(model_.columns, fields);
  ModelColumns columns;
  columns.names = model_.columns;
  columns.categories.resize(columns.names.size());
  columns.dates.resize(columns.names.size());
  return columns;
}

bool ModelRow::knows_names(std::span<const std::string_view> fields) const {
  const ModelColumns columns = columns_of(fields);
  return !columns.names.empty() && columns.from_header;
}

bool ModelRow::is_header(std::span<const std::string_view> fields) {
  const std::vector<std::string> names = columns_of(fields).names;
  if (!rules_.number_of_name) return are_names(fields, names, numbers_);
  return std::ranges::all_of(names, [&](const std::string& name) {
    return std::ranges::find(fields, name) != fields.end();
  });
}

ExpectedColumns ModelRow::expected() const {
  ExpectedColumns expected;
  expected.of_model = true;
  expected.may_lack = rules_.may_lack;
  if (!model_.gives("target")) expected.targets = model_.targets;
  expected.count = columns_.names.empty() ? model_.layout.size() : columns_.names.size();
  if (columns_.from_header) expected.names = columns_.names;
  for (const auto& categories : columns_.categories)
    expected.categorical.push_back(categories.has_value());
  for (std::size_t k = 0; k < columns_.dates.size(); ++k)
    if (columns_.dates[k]) expected.dates.emplace(k, *columns_.dates[k]);
  return expected;
}

ColumnRoles ModelRow::find(std::span<const std::string_view> fields, std::vector<std::string> names,
                           const ColumnFailure& fail) {
  const bool named = !names.empty();
  columns_ = columns_of(named ? std::vector<std::string_view>(names.begin(), names.end())
                              : std::vector<std::string_view>(fields.begin(), fields.end()));
  if (named && format_.rows_alone && (columns_.names.empty() || !columns_.from_header))
    fail(
        "names columns, but the model's have no names; give the values by position, in the order "
        "of the training data");
  check_given_once(names, fail);
  slots_.clear();
  fields_in_line_ = named ? names.size() : fields.size();
  const ColumnRoles roles = roles_of(names, fail);
  names_ = std::move(names);
  return roles;
}

/// A row has a category as its name or as values, one for each category.
void ModelRow::check_given_once(std::span<const std::string> names,
                                const ColumnFailure& fail) const {
  std::unordered_set<std::string_view> texts;
  for (std::size_t k = 0; k < columns_.names.size(); ++k)
    if (columns_.categories[k]) texts.insert(columns_.names[k]);
  if (texts.empty()) return;
  const std::unordered_set<std::string_view> given(names.begin(), names.end());
  for (const std::string_view name : names)
    if (const auto column = name.substr(0, name.find('='));
        column.size() < name.size() && texts.contains(column) && given.contains(column))
      fail("names the column " + in_quotes(column) + " and categories of it; name either");
}

ColumnRoles ModelRow::roles_of(const std::vector<std::string>& names, const ColumnFailure& fail) {
  const bool whole_row = names.empty() && fields_in_line_ == model_.layout.size();
  if (rules_.number_of_name && names.empty() && !whole_row) fail(wrong_count(fields_in_line_));
  const bool known_texts = names.empty() && columns_.any_categories() && columns_.from_header;
  if (known_texts && format_.remedies)
    fail(
        "is a row, but the model knows the categorical columns by their names; give the file the "
        "header of the training file");
  if (known_texts) return by_value(fail);
  ColumnRoles roles;
  std::string problem;
  try {
    roles = find_roles(fields_in_line_, names, format_, expected(),
                       [](const std::string& what) { throw Error(what); });
  } catch (const Error& thrown) {
    // In files, a row with the label may have as many fields as the model's row has values.
    if (whole_row && columns_.any_texts() && !format_.remedies) return by_value(fail);
    problem = thrown.what();
  }
  if (!problem.empty()) fail(problem);
  add_slots(roles);
  return roles;
}

/// Rows in the model's form, with one value per category.
ColumnRoles ModelRow::by_value(const ColumnFailure& fail) {
  if (fields_in_line_ != model_.layout.size())
    fail(wrong_count(fields_in_line_) +
         "; name the columns of the table in a header, or give one value per category");
  ColumnRoles roles;
  for (std::size_t c = 0; c < columns_.categories.size(); ++c) {
    const auto& categories = columns_.categories[c];
    const std::size_t count = categories          ? categories->size()
                              : columns_.dates[c] ? date_numbers_count
                                                  : 1;
    for (std::size_t k = 0; k < count; ++k) {
      roles.values.push_back(slots_.size());
      roles.categorical.push_back(false);
      slots_.push_back({slots_.size(), slots_.size(), {}, {}, categories.has_value()});
    }
  }
  return roles;
}

void ModelRow::add_slots(const ColumnRoles& roles) {
  std::size_t place = 0;
  for (std::size_t k = 0; k < roles.values.size(); ++k) {
    Slot slot{roles.values[k], place};
    const auto date = roles.dates.find(slot.column);
    if (date != roles.dates.end()) {
      slot.date = date->second;
      place += date_numbers_count;
    } else if (k < columns_.categories.size() && columns_.categories[k]) {
      for (const std::string& category : *columns_.categories[k])
        slot.categories.emplace(category, place++);
    } else {
      slot.of_category =
          format_.rows_alone && k < columns_.names.size() && is_category_name(columns_.names[k]);
      ++place;
    }
    if (slot.column != ColumnRoles::none) slots_.push_back(std::move(slot));
  }
}

std::vector<std::string> ModelRow::value_names(const ColumnRoles& roles) const {
  const bool by_name = knows_names() && !names_.empty();
  return by_name || any_categories() ? model_.columns : roles.value_names();
}

std::string ModelRow::wrong_count(std::size_t fields) const {
  return "has " + std::to_string(fields) + (fields == 1 ? " value" : " values") + ", but " +
         (rules_.row.empty() ? "the model takes rows of " + std::to_string(model_.layout.size())
                             : rules_.row);
}

void ModelRow::check_fields(std::size_t fields) const {
  if (fields == fields_in_line_) return;
  const std::string wanted = std::to_string(fields_in_line_);
  if (names_.empty() && slots_.size() == fields_in_line_) throw Error(wrong_count(fields));
  throw Error("has " + std::to_string(fields) + (fields == 1 ? " value" : " values") +
              ", but the " +
              (names_.empty() ? "first row has " + wanted + "; every row needs the same number"
                              : "header has " + wanted + " names"));
}

void ModelRow::read(std::span<const std::string_view> fields, std::span<float> values) {
  if (rules_.may_lack) std::ranges::fill(values, 0.0F);
  for (const Slot& slot : slots_) {
    const std::string_view field = fields[slot.column];
    if (slot.date)
      read_date(slot, field, values);
    else if (!slot.categories.empty())
      read_category(slot, field, values);
    else
      values[slot.place] = number(slot, field);
  }
}

/// "column 'age'"; by position "column 3 ('age')", as the model calls the value.
std::string ModelRow::describe(const Slot& slot) const {
  if (!names_.empty()) return "column " + in_quotes(names_[slot.column]);
  const bool single = !slot.date && slot.categories.empty();
  return "column " + std::to_string(slot.column + 1) +
         (single && slot.place < model_.columns.size()
              ? " (" + in_quotes(model_.columns[slot.place]) + ")"
              : "");
}

void ModelRow::fail_missing(const Slot& slot) const {
  throw Error(describe(slot) + " has no value; give one, or omit the row");
}

float ModelRow::number_of_name(const Slot& slot, std::string_view name) const {
  if (name.empty()) fail_missing(slot);
  try {
    return rules_.number_of_name(slot.place, name);
  } catch (const Error& problem) {
    throw Error("column " + in_quotes(model_.columns[slot.place]) + " " + problem.what());
  }
}

float ModelRow::number(const Slot& slot, std::string_view field) {
  if (rules_.number_of_name) return number_of_name(slot, field);
  float value = 0;
  const char* const problem = numbers_.parse(field, value);
  if (!problem) return value;
  if (!format_.is_missing(field))
    throw Error(describe(slot) + ": " + in_quotes(field) + " " + problem + "; correct it");
  if (!format_.keeps_missing || slot.of_category) fail_missing(slot);
  return std::numeric_limits<float>::quiet_NaN();
}

void ModelRow::read_date(const Slot& slot, std::string_view field, std::span<float> values) const {
  field = trimmed(field);
  const auto own = values.subspan(slot.place, date_numbers_count);
  if (const auto numbers = date_numbers(field, *slot.date)) {
    std::ranges::copy(*numbers, own.begin());
    return;
  }
  if (!format_.is_missing(field))
    throw Error(describe(slot) + ": " + in_quotes(field) +
                " is not a date such as 2024-05-31 or 2024-05-31 12:30; correct it");
  if (!format_.keeps_missing) fail_missing(slot);
  std::ranges::fill(own, std::numeric_limits<float>::quiet_NaN());
}

void ModelRow::read_category(const Slot& slot, std::string_view field,
                             std::span<float> values) const {
  std::ranges::fill(values.subspan(slot.place, slot.categories.size()), 0.0F);
  const bool missing = format_.is_missing(field);
  const std::string name = missing ? missing_category : canonical_label(field);
  const auto found = find_category(slot.categories, name);
  if (found != slot.categories.end() && (!missing || format_.keeps_missing)) {
    values[found->second] = 1;
    return;
  }
  if (missing && !(format_.keeps_missing && rules_.accepts_unknown)) fail_missing(slot);
  if (rules_.accepts_unknown) return;
  throw Error("the " + describe(slot) + " has no category " + in_quotes(field) +
              "; the model knows " + listed(slot.categories) +
              (format_.remedies
                   ? "; correct it, or set 'unknown: none' to read it as none of the categories"
                   : ""));
}

}  // namespace semblance
