// SPDX-License-Identifier: MIT
#include "text/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "text/category_columns.hpp"
#include "text_values.hpp"

namespace semblance::sources {

void decode_model_columns(TextTable& table, std::span<const std::string_view> fields) {
  ExpectedColumns& expected = table.expected;
  if (expected.names.empty()) return;
  const ModelColumns columns = model_columns(expected.names, fields);
  expected.count = columns.names.size();
  expected.names = columns.from_header ? columns.names : std::vector<std::string>();
  for (const auto& categories : columns.categories) {
    expected.categorical.push_back(categories.has_value());
    if (categories) table.categorical.emplace_back().fix(*categories);
  }
}

HeldRows TextTable::held() const {
  HeldRows held;
  if (wanted.all()) return held;
  std::size_t next = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    const bool here = next < kept.size() && kept[next] == row;
    held.add(here);
    if (here) ++next;
  }
  return held;
}

void TextTable::move_last_to(std::size_t row) {
  const auto move = [](auto& list, std::size_t to, std::size_t count) {
    std::rotate(list.begin() + static_cast<std::ptrdiff_t>(to * count),
                list.end() - static_cast<std::ptrdiff_t>(count), list.end());
  };
  RowFacts::move_last_to(row);
  for (CategoryColumn& column : categorical) column.move_last_to(row);
  if (wanted.all()) return move(values, row, cols);
  const bool stored = !kept.empty() && kept.back() == rows() - 1;
  const auto at = static_cast<std::size_t>(std::ranges::lower_bound(kept, row) - kept.begin());
  for (std::size_t k = at; k < kept.size(); ++k) ++kept[k];
  if (!stored) return;
  kept.back() = row;
  move(kept, at, 1);
  move(values, at, cols);
}

TableRows::TableRows(const LineReader& lines, const TableFormat& format, TextTable& table)
    : lines_(lines),
      format_(format),
      table_(table),
      numbers_(format.decimal_comma),
      refuse_([this](Fact fact, std::size_t target, const std::string& what) {
        refuse(fact, target, what);
      }),
      first_row_(table.rows()) {
  // New rows are not learned from, so their weights and groups do not matter.
  const bool learned = !table.expected.of_model;
  rules_ = {format.labels,
            true,
            true,
            learned && (!format.weight.empty() || format.row_weights),
            learned && !format.groups.empty(),
            format.decimal_comma};
}

void TableRows::fail(const std::string& what) const {
  throw DataError(lines_.path(), "line " + std::to_string(line()), what);
}

void TableRows::begin(ColumnRoles roles) {
  roles_ = std::move(roles);
  numeric_.clear();
  categorical_.clear();
  for (std::size_t k = 0; k < roles_.values.size(); ++k)
    (roles_.categorical[k] ? categorical_ : numeric_).push_back(roles_.values[k]);
  table_.cols = numeric_.size();
  table_.precision.resize(table_.cols);
  if (table_.targets.empty()) table_.targets.set_names(roles_.target_names());
  table_.categorical.resize(categorical_.size());
  if (!table_.expected.of_model) check_category_names();
}

/// A model names categories like color=red: these names must be unambiguous.
void TableRows::check_category_names() const {
  if (categorical_.empty() || roles_.names.empty()) return;
  const auto names = roles_.value_names();
  if (std::ranges::all_of(names, is_numbered_column))
    fail("all columns have names such as " + in_quotes(names[0]) +
         ", as columns of files without a header are called; rename one, or remove the header");
  for (const std::size_t c : categorical_) {
    const std::string& name = roles_.names[c];
    if (name.find('=') != name.npos)
      fail("the categorical column " + roles_.describe(c) +
           " has a '=' in its name, which stands between a column and its category; rename it");
    for (const std::size_t other : numeric_)
      if (roles_.names[other].starts_with(name + "="))
        fail("column " + roles_.describe(other) + " is named like a category of column " +
             roles_.describe(c) + "; rename one");
  }
}

void TableRows::append(std::span<const std::string_view> fields, std::string_view weight) {
  take_facts(fields, weight);
  if (RowFacts::leaves_out(facts_, rules_)) {
    append_no_values();
  } else {
    for (std::size_t k = 0; k < numeric_.size(); ++k) append_value(k, fields[numeric_[k]]);
    for (std::size_t k = 0; k < categorical_.size(); ++k)
      append_category(k, fields[categorical_[k]]);
    if (!table_.wanted.all()) keep_if_wanted();
  }
  table_.RowFacts::append(facts_, rules_, refuse_);
}

/// Finds what a line says of its row.
void TableRows::take_facts(std::span<const std::string_view> fields, std::string_view weight) {
  const auto text = [&](std::size_t column) {
    return column == ColumnRoles::none ? std::nullopt : std::optional(fields[column]);
  };
  facts_.label = text(roles_.label);
  facts_.id = text(roles_.id);
  facts_.group = text(roles_.group);
  facts_.weight = text(roles_.weight);
  if (format_.row_weights && !facts_.weight) facts_.weight = weight;
  facts_.targets.clear();
  for (const std::size_t column : roles_.targets) facts_.targets.push_back(text(column));
}

void TableRows::refuse(Fact fact, std::size_t target, const std::string& what) const {
  const auto in = [&](const char* name, std::size_t column) {
    fail(std::string(name) + " in column " + roles_.describe(column) + " " + what);
  };
  if (fact == Fact::label)
    fail("the label in column " + std::to_string(roles_.label + 1) + " " + what);
  if (fact == Fact::target) in("the target", roles_.targets[target]);
  if (fact == Fact::group) in("the group", roles_.group);
  if (fact == Fact::weight && roles_.weight != ColumnRoles::none) in("the weight", roles_.weight);
  if (fact == Fact::weight) fail("the weight in braces " + what);
  fail("column " + roles_.describe(roles_.id) + " " + what);
}

void TableRows::withhold(std::span<const std::string_view> fields) {
  take_facts(fields, "1");
  withheld_bytes_ = double(numeric_.size()) * sizeof(float) +
                    double(1 + categorical_.size() + rules_.groups) * sizeof(std::int32_t) +
                    double(rules_.weights + roles_.targets.size()) * sizeof(double);
  if (RowFacts::leaves_out(facts_, rules_)) return;
  double ignored = 0;
  for (const std::size_t c : numeric_) value_of(c, fields[c], ignored);
  for (const std::size_t c : categorical_) check_category(c, fields[c]);
  if (!facts_.id) return;
  RowFacts().append({.id = facts_.id}, {}, refuse_);
  withheld_bytes_ += double(sizeof(std::string) + facts_.id->size());
}

void TableRows::insert_withheld(std::span<const std::string> fields, std::size_t line) {
  withheld_line_ = line;
  append(std::vector<std::string_view>(fields.begin(), fields.end()));
  withheld_line_ = 0;
  table_.move_last_to(first_row_);
}

std::size_t TableRows::line() const {
  return withheld_line_ != 0 ? withheld_line_ : lines_.number();
}

/// Of a row that is only counted.
void TableRows::append_no_values() {
  if (table_.wanted.all()) table_.values.resize(table_.values.size() + numeric_.size());
  for (CategoryColumn& column : table_.categorical) column.add_unknown();
}

void TableRows::append_value(std::size_t slot, std::string_view field) {
  double wide = 0;
  const float value = value_of(numeric_[slot], field, wide);
  table_.values.push_back(value);
  if (!std::isnan(value)) add_exact(table_.precision, slot, wide, numbers_.plain(field));
}

/// NaN if it is missing.
float TableRows::value_of(std::size_t column, std::string_view field, double& wide) {
  float value = 0;
  const char* const problem = numbers_.parse(field, value, wide);
  if (!problem) return value;
  if (format_.is_missing(field)) return missing_value(column);
  fail("column " + roles_.describe(column) + " is " + in_quotes(field) + ", which " + problem +
       "; " + remedy(field));
}

/// The remedy for a value that is not a number.
std::string TableRows::remedy(std::string_view field) const {
  if (format_.declares_types) return "correct it, or name the column in 'ignore'";
  std::string found = numbers_.remedy(field);
  if (!found.empty()) return found;
  return "correct it, name the column in 'categorical' if it holds categories, or in 'label', 'id' "
         "or 'ignore'";
}

float TableRows::missing_value(std::size_t column) const {
  if (!format_.keeps_missing)
    fail("column " + roles_.describe(column) +
         " has no value; fill in or remove rows with missing values, or set 'missing: keep' and "
         "put normalizer/impute after the source");
  return std::numeric_limits<float>::quiet_NaN();
}

void TableRows::append_category(std::size_t slot, std::string_view field) {
  check_category(categorical_[slot], field);
  table_.categorical[slot].add(category_of(field), lines_.path(), line());
}

std::string_view TableRows::category_of(std::string_view field) const {
  return format_.is_missing(field) ? CategoryColumn::missing : field;
}

void TableRows::check_category(std::size_t column, std::string_view field) const {
  if (format_.is_missing(field) && !format_.keeps_missing)
    fail("column " + roles_.describe(column) +
         " has no value; fill in or remove rows with missing values, or set 'missing: keep', which "
         "makes them a category of their own");
  if (!is_utf8(field))
    fail("column " + roles_.describe(column) + " is not UTF-8 text; save the file as UTF-8");
}

/// Stores the row just read if it is wanted. Beside a withheld line, which may become the first
/// row, it has two possible numbers.
void TableRows::keep_if_wanted() {
  const std::size_t row = table_.rows();
  const auto number = static_cast<std::int64_t>(withheld_line_ != 0 ? first_row_ : row);
  const bool maybe = withheld_bytes_ > 0 && table_.wanted.contains(number + 1);
  if (maybe || table_.wanted.contains(number))
    table_.kept.push_back(row);
  else
    table_.values.resize(table_.values.size() - table_.cols);
}

/// Drops unwanted rows, once the numbers are known.
void TableRows::drop_unwanted() {
  std::size_t count = 0;
  for (std::size_t k = 0; k < table_.kept.size(); ++k) {
    const std::size_t row = table_.kept[k];
    if (!table_.wanted.contains(static_cast<std::int64_t>(row))) continue;
    if (count < k)
      std::copy_n(table_.values.begin() + static_cast<std::ptrdiff_t>(k * table_.cols), table_.cols,
                  table_.values.begin() + static_cast<std::ptrdiff_t>(count * table_.cols));
    table_.kept[count++] = row;
  }
  table_.kept.resize(count);
  table_.values.resize(count * table_.cols);
}

bool TableRows::has_new_categories(std::span<const std::string> fields) const {
  for (std::size_t k = 0; k < categorical_.size(); ++k)
    if (table_.categorical[k].knows(category_of(fields[categorical_[k]]))) return false;
  return true;
}

void TableRows::name_columns(std::vector<std::string> names) {
  roles_.names = std::move(names);
  if (!table_.expected.of_model) check_category_names();
}

void TableRows::finish(Context& context) {
  if (!table_.wanted.all()) drop_unwanted();
  if (rows() == 0)
    throw DataError(lines_.path(), "", "holds no rows; check that it is the right file");
  // New rows may be close together; the model's training samples were not.
  if (!table_.expected.of_model)
    table_.precision.check(
        lines_.path(), [&](std::size_t k) { return "column " + roles_.describe(numeric_[k]); },
        context);
  if (!table_.expected.of_model)
    table_.targets.check(
        lines_.path(),
        [&](std::size_t k) { return "the target column " + roles_.describe(roles_.targets[k]); },
        context);
  record_columns(context);
}

/// Records the columns for the next file and for users of this file's rows.
void TableRows::record_columns(Context& context) {
  ExpectedColumns& expected = table_.expected;
  const bool named = !roles_.names.empty(), known = !expected.names.empty();
  if (expected.count == 0 || expected.of_model) {
    table_.columns = expected.of_model && known && named ? expected.names : roles_.value_names();
    table_.places = roles_.values;
    table_.is_categorical = roles_.categorical;
  }
  if (expected.count != 0) return log_matching(named, known, context);
  expected.count = roles_.values.size();
  expected.names = roles_.value_names();
  expected.categorical = roles_.categorical;
  if (!named) return;
  if (roles_.label != ColumnRoles::none) expected.label = roles_.names[roles_.label];
  if (roles_.group != ColumnRoles::none) expected.group = roles_.names[roles_.group];
  expected.targets = roles_.target_names();
  std::vector<bool> holds_values(roles_.names.size(), false);
  for (const std::size_t c : roles_.values) holds_values[c] = true;
  for (std::size_t c = 0; c < roles_.names.size(); ++c)
    if (c != roles_.label && !holds_values[c] && std::ranges::count(roles_.targets, c) == 0)
      expected.left_out.push_back(roles_.names[c]);
}

/// Logs the matching of columns with the expected ones. The caller reports names that only the
/// model or only the new data have.
void TableRows::log_matching(bool named, bool known, Context& context) const {
  const std::string start = lines_.path() + ": columns are matched by ";
  if (named && known) return context.log(LogLevel::info, start + "name");
  if (named == known) return context.log(LogLevel::info, start + "position, without names");
  if (!table_.expected.of_model)
    context.log(LogLevel::warning,
                start + "position, since only one of the two files has a header");
}

}  // namespace semblance::sources
