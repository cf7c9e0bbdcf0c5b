// SPDX-License-Identifier: MIT
#include "text/table_lines.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "class_names.hpp"
#include "semblance/error.hpp"
#include "text/category_columns.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

/// "'blue', 'red', ..."
std::string listed(const std::map<std::string, std::size_t, std::less<>>& categories) {
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

}  // namespace

TableLines::TableLines(TableFormat format, bool accepts_unknown, const NewData& model)
    : TableRowLines(std::move(format)),
      accepts_unknown_(accepts_unknown),
      model_(model),
      numbers_(format_.decimal_comma) {
  // Finding the roles shows whether a line names the columns.
  format_.header = "present";
}

/// The model's columns, given the fields of a first line.
ModelColumns TableLines::columns_of_model(std::span<const std::string_view> fields) const {
  if (format_.may_have_categories()) return model_columns(model_.columns, fields);
  ModelColumns columns;
  columns.names = model_.columns;
  columns.categories.resize(columns.names.size());
  columns.dates.resize(columns.names.size());
  return columns;
}

/// Decides like the file reader; without known column names, a line of texts names them.
bool TableLines::is_header(std::string_view line) {
  if (trimmed(line).empty()) return false;
  split(line);
  const auto numbers = std::ranges::count_if(
      fields_, [this](std::string_view field) { return numbers_.is_number(field); });
  const ModelColumns columns = columns_of_model(fields_);
  if (columns.names.empty() || !columns.from_header) return numbers == 0;
  const std::unordered_set<std::string_view> fields(fields_.begin(), fields_.end());
  const auto found = std::ranges::count_if(
      columns.names, [&](const std::string& name) { return fields.contains(name); });
  const bool all = found == std::ssize(columns.names);
  if (all && numbers == std::ssize(fields_))
    throw Error(
        "the names of the columns are numbers, so this can be a header or a row; say which: "
        "text/csv; header=present or text/csv; header=absent");
  return all || numbers == 0 || (found > 0 && numbers < std::ssize(fields_) - 1);
}

void TableLines::read_header(std::string_view line) {
  split(line);
  begin({fields_.begin(), fields_.end()});
}

/// Determines the roles of the columns, by name if there are names.
void TableLines::begin(std::vector<std::string> names) {
  const bool named = !names.empty();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const ModelColumns columns = columns_of_model(named ? views : fields_);
  ExpectedColumns expected;
  expected.of_model = true;
  expected.targets = model_.targets;
  expected.count = columns.names.empty() ? model_.layout.size() : columns.names.size();
  if (columns.from_header) expected.names = columns.names;
  for (const auto& categories : columns.categories)
    expected.categorical.push_back(categories.has_value());
  for (std::size_t k = 0; k < columns.dates.size(); ++k)
    if (columns.dates[k]) expected.dates.emplace(k, *columns.dates[k]);
  const bool by_value = !named && columns.any_categories() &&
                        (columns.from_header || fields_.size() == model_.layout.size());
  if (by_value) return begin_by_values(columns);
  const std::size_t fields = named ? names.size() : fields_.size();
  const ColumnRoles roles =
      find_roles(fields, names, format_, expected, [&](const std::string& what) {
        if (named && !expected.names.empty()) throw Error(what);
        throw Error("has " + std::to_string(fields) + " values, but the model takes rows of " +
                    std::to_string(expected.count));
      });
  add_slots(roles, columns);
  names_ = std::move(names);
  fields_in_line_ = fields;
}

/// Starts reading rows in the model's form, with one value per category.
void TableLines::begin_by_values(const ModelColumns& columns) {
  check_fields();
  slots_.clear();
  for (std::size_t c = 0; c < columns.categories.size(); ++c) {
    const auto& categories = columns.categories[c];
    const std::size_t count = categories         ? categories->size()
                              : columns.dates[c] ? date_numbers_count
                                                 : 1;
    for (std::size_t k = 0; k < count; ++k)
      slots_.push_back({slots_.size(), {}, {}, categories.has_value()});
  }
  fields_in_line_ = fields_.size();
}

void TableLines::add_slots(const ColumnRoles& roles, const ModelColumns& columns) {
  slots_.clear();
  std::size_t place = 0;
  for (std::size_t k = 0; k < roles.values.size(); ++k) {
    Slot& slot = slots_.emplace_back(Slot{roles.values[k], {}, {}, false});
    if (const auto date = roles.dates.find(roles.values[k]); date != roles.dates.end()) {
      slot.date = date->second;
      place += date_numbers_count;
      continue;
    }
    const auto* const categories =
        k < columns.categories.size() && columns.categories[k] ? &*columns.categories[k] : nullptr;
    if (!categories) {
      ++place;
      continue;
    }
    for (const std::string& category : *categories) slot.categories.emplace(category, place++);
  }
}

/// R writes no name above the names of the rows. Numbers after commas may be decimals.
bool TableLines::lacks_row_names(std::string_view line) {
  return !any_row_ && !names_.empty() && fields_.size() == names_.size() + 1 &&
         !fields_.back().empty() && !names_.front().empty() &&
         (splitter_.separator() != ',' || trimmed(line).starts_with('"') ||
          !numbers_.is_number(fields_[0]));
}

void TableLines::check_fields() const {
  const std::size_t wanted = fields_in_line_ > 0 ? fields_in_line_ : model_.layout.size();
  if (fields_.size() == wanted) return;
  const std::string has = "has " + std::to_string(fields_.size()) + " values, but the ";
  if (!names_.empty()) throw Error(has + "header has " + std::to_string(wanted) + " names");
  if (fields_in_line_ == 0 || slots_.size() == wanted)
    throw Error(has + "model takes rows of " + std::to_string(wanted));
  throw Error(has + "first row has " + std::to_string(wanted) +
              "; every row needs the same number");
}

void TableLines::read_row(std::string_view line, std::span<float> values) {
  if (trimmed(line).empty() && model_.layout.size() > 1) throw Error("is empty; give a row");
  split(line);
  if (fields_in_line_ == 0) begin({});
  if (lacks_row_names(line)) {
    std::vector<std::string> names = names_;
    names.insert(names.begin(), std::string());
    begin(std::move(names));
  }
  check_fields();
  std::size_t place = 0;
  for (const Slot& slot : slots_) {
    if (slot.date) {
      set_date(slot, values.subspan(place, date_numbers_count));
      place += date_numbers_count;
      continue;
    }
    if (slot.categories.empty()) {
      values[place] = number(slot, place);
      ++place;
      continue;
    }
    std::ranges::fill(values.subspan(place, slot.categories.size()), 0.0F);
    set_category(slot, values);
    place += slot.categories.size();
  }
  any_row_ = true;
}

/// "column 'age'"; by position "column 3 ('age')", as the model calls the value.
std::string TableLines::describe(const Slot& slot, std::size_t place) const {
  if (!names_.empty()) return "column " + in_quotes(names_[slot.column]);
  return "column " + std::to_string(slot.column + 1) +
         (place < model_.columns.size() ? " (" + in_quotes(model_.columns[place]) + ")" : "");
}

float TableLines::number(const Slot& slot, std::size_t place) {
  const std::string_view field = fields_[slot.column];
  float value = 0;
  const char* const problem = numbers_.parse(field, value);
  if (!problem) return value;
  if (!format_.is_missing(field))
    throw Error(describe(slot, place) + ": " + in_quotes(field) + " " + problem + "; correct it");
  if (!format_.keeps_missing || slot.of_category)
    throw Error(describe(slot, place) + " has no value; give one, or omit the row");
  return std::numeric_limits<float>::quiet_NaN();
}

void TableLines::set_date(const Slot& slot, std::span<float> values) const {
  const std::string_view field = trimmed(fields_[slot.column]);
  if (const auto numbers = date_numbers(field, *slot.date)) {
    std::ranges::copy(*numbers, values.begin());
    return;
  }
  const std::string column = describe(slot, model_.columns.size());
  if (!format_.is_missing(field))
    throw Error(column + ": " + in_quotes(field) +
                " is not a date such as 2024-05-31 or 2024-05-31 12:30; correct it");
  if (!format_.keeps_missing) throw Error(column + " has no value; give one, or omit the row");
  std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
}

void TableLines::set_category(const Slot& slot, std::span<float> values) const {
  const std::string_view field = fields_[slot.column];
  const bool missing = format_.is_missing(field);
  const std::string name = missing ? CategoryColumn::missing : canonical_label(field);
  const auto found = slot.categories.find(name);
  if (found != slot.categories.end() && (!missing || format_.keeps_missing)) {
    values[found->second] = 1;
    return;
  }
  if (missing && !(format_.keeps_missing && accepts_unknown_))
    throw Error(describe(slot, slot.categories.begin()->second) +
                " has no value; give one, or omit the row");
  if (accepts_unknown_) return;
  const std::string column =
      names_.empty() ? std::to_string(slot.column + 1) : in_quotes(names_[slot.column]);
  throw Error("the column " + column + " has no category " + in_quotes(field) +
              "; the model knows " + listed(slot.categories));
}

}  // namespace semblance::sources
