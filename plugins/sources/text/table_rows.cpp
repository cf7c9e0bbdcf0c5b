// SPDX-License-Identifier: MIT
#include "text/table_rows.hpp"

#include <algorithm>
#include <limits>

#include "semblance/error.hpp"
#include "text/category_columns.hpp"
#include "text_values.hpp"

namespace semblance::sources {

TableRows::TableRows(const LineReader& lines, const TableFormat& format, TextTable& table)
    : lines_(lines),
      format_(format),
      table_(table),
      numbers_(format.decimal_comma),
      first_row_(table.rows()) {}

void TableRows::fail(const std::string& what) const {
  throw DataError(lines_.path(), lines_.place(), what);
}

void TableRows::begin(ColumnRoles roles) {
  roles_ = std::move(roles);
  numeric_.clear();
  categorical_.clear();
  for (std::size_t k = 0; k < roles_.values.size(); ++k)
    (roles_.categorical[k] ? categorical_ : numeric_).push_back(roles_.values[k]);
  table_.cols = numeric_.size();
  table_.precision.resize(table_.cols);
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

void TableRows::append(std::span<const std::string_view> fields, bool in_doubt,
                       std::string_view weight) {
  doubtful_ = doubtful_ || in_doubt;
  if (is_left_out(fields)) return append_left_out();
  for (std::size_t k = 0; k < numeric_.size(); ++k) append_value(k, fields[numeric_[k]], in_doubt);
  for (std::size_t k = 0; k < categorical_.size(); ++k)
    append_category(k, fields[categorical_[k]], in_doubt);
  if (in_doubt)
    first_values_.assign(table_.values.end() - std::ssize(numeric_), table_.values.end());
  if (!table_.wanted.all()) keep_if_wanted(in_doubt);
  append_label(fields, in_doubt);
  append_id(fields);
  append_weight(fields, in_doubt, weight);
  append_group(fields, in_doubt);
}

bool TableRows::is_left_out(std::span<const std::string_view> fields) const {
  return roles_.label != ColumnRoles::none && format_.labels.leaves_out(fields[roles_.label]);
}

/// Counts a row that is otherwise ignored.
void TableRows::append_left_out() {
  if (table_.wanted.all()) table_.values.resize(table_.values.size() + numeric_.size());
  for (CategoryColumn& column : table_.categorical) column.add_unknown();
  table_.labels.push_back(left_out_label);
  if (!table_.ids.empty()) table_.ids.emplace_back();
  if (has_weights()) table_.weights.push_back(0);
  if (has_groups()) table_.groups.push_back(-1);
}

void TableRows::append_value(std::size_t slot, std::string_view field, bool in_doubt) {
  const std::size_t c = numeric_[slot];
  float value = 0;
  if (const char* problem = numbers_.parse(field, value)) {
    if (format_.is_missing(field)) return table_.values.push_back(missing_value(c));
    fail("column " + roles_.describe(c) + " is " + in_quotes(field) + ", which " + problem + "; " +
         remedy(field));
  }
  table_.values.push_back(value);
  if (in_doubt || !table_.precision.wants(slot, value)) return;
  const ExactNumber exact = exact_number(numbers_.plain(field));
  table_.precision.note(slot, value, exact.value, exact.whole);
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

void TableRows::append_category(std::size_t slot, std::string_view field, bool in_doubt) {
  check_category(categorical_[slot], field);
  CategoryColumn& column = table_.categorical[slot];
  if (in_doubt)
    column.add_unknown();
  else
    column.add(category_of(field), lines_.path(), lines_.number());
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

/// Stores the row just read if it is wanted. While the first line may turn out to be a header, the
/// row has two possible numbers.
void TableRows::keep_if_wanted(bool in_doubt) {
  const std::size_t row = table_.rows();
  const auto number = static_cast<std::int64_t>(row);
  const bool maybe = doubtful_ && !in_doubt && table_.wanted.contains(number - 1);
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

void TableRows::append_label(std::span<const std::string_view> fields, bool in_doubt) {
  const bool known = roles_.label != ColumnRoles::none && !in_doubt;
  table_.labels.push_back(known ? label_of(fields[roles_.label], lines_.place()) : no_label);
}

std::int32_t TableRows::label_of(std::string_view field, const std::string& place) {
  return format_.labels.number(field, table_.classes, [&](const std::string& what) {
    throw DataError(lines_.path(), place,
                    "the label in column " + std::to_string(roles_.label + 1) + " " + what);
  });
}

void TableRows::append_id(std::span<const std::string_view> fields) {
  if (roles_.id == ColumnRoles::none) {
    if (!table_.ids.empty()) table_.ids.emplace_back();
    return;
  }
  const std::string_view id = fields[roles_.id];
  if (!is_utf8(id))
    fail("column " + roles_.describe(roles_.id) + " is not UTF-8 text; save the file as UTF-8");
  table_.ids.resize(table_.rows() - 1);
  table_.ids.emplace_back(id);
  table_.id_bytes += double(id.size());
}

/// Rows of a file without the column have weight 1, as do rows that are not learned from.
void TableRows::append_weight(std::span<const std::string_view> fields, bool in_doubt,
                              std::string_view weight) {
  if (!has_weights()) return;
  const bool known = roles_.weight != ColumnRoles::none && !in_doubt;
  const bool said = known || format_.row_weights;
  table_.weights.push_back(said ? weight_of(known ? fields[roles_.weight] : weight, lines_.place())
                                : 1);
}

bool TableRows::has_weights() const {
  return (!format_.weight.empty() || format_.row_weights) && !table_.expected.of_model;
}

double TableRows::weight_of(std::string_view field, const std::string& place) {
  const std::string start =
      "the weight in " +
      (format_.row_weights ? std::string("braces") : "column " + roles_.describe(roles_.weight)) +
      " is ";
  const auto refuse = [&](const std::string& what) {
    throw DataError(lines_.path(), place, start + what);
  };
  if (format_.is_missing(field))
    refuse("missing; fill it in: 0 for a row that is not to be learned from");
  float rounded = 0;
  if (const char* problem = numbers_.parse(field, rounded))
    refuse(in_quotes(field) + ", which " + problem + "; correct it");
  const auto weight = static_cast<double>(exact_number(numbers_.plain(field)).value);
  if (weight < 0) refuse(in_quotes(field) + "; weights must be 0 or more");
  return weight;
}

bool TableRows::has_groups() const { return !format_.groups.empty() && !table_.expected.of_model; }

/// Rows of a second file without the column have no known group.
void TableRows::append_group(std::span<const std::string_view> fields, bool in_doubt) {
  if (!has_groups()) return;
  const bool known = roles_.group != ColumnRoles::none && !in_doubt;
  table_.groups.push_back(known ? group_of(fields[roles_.group], lines_.place()) : -1);
}

std::int32_t TableRows::group_of(std::string_view field, const std::string& place) {
  const std::string_view group = trimmed(field);
  const auto refuse = [&](const std::string& what) {
    throw DataError(lines_.path(), place,
                    "the group in column " + roles_.describe(roles_.group) + " " + what);
  };
  if (group.empty() || format_.is_missing(group))
    refuse("is missing; fill it in, or remove the row");
  if (!is_utf8(group)) refuse("is not UTF-8 text; save the file as UTF-8");
  return table_.group_numbers[group];
}

bool TableRows::first_has_new_categories(std::span<const std::string> fields) const {
  for (std::size_t k = 0; k < categorical_.size(); ++k)
    if (table_.categorical[k].knows(category_of(fields[categorical_[k]]))) return false;
  return true;
}

void TableRows::settle_first(std::span<const std::string> fields, std::size_t line) {
  const std::string place = "line " + std::to_string(line);
  if (roles_.label != ColumnRoles::none)
    table_.labels[first_row_] = label_of(fields[roles_.label], place);
  if (table_.labels[first_row_] == left_out_label) return;
  for (std::size_t k = 0; k < categorical_.size(); ++k)
    table_.categorical[k].set(first_row_, category_of(fields[categorical_[k]]), lines_.path(),
                              line);
  if (roles_.weight != ColumnRoles::none && !table_.weights.empty())
    table_.weights[first_row_] = weight_of(fields[roles_.weight], place);
  if (roles_.group != ColumnRoles::none && !table_.groups.empty())
    table_.groups[first_row_] = group_of(fields[roles_.group], place);
  note_first_row(fields);
}

void TableRows::note_first_row(std::span<const std::string> fields) {
  for (std::size_t k = 0; k < numeric_.size(); ++k) {
    const float value = first_values_[k];
    if (format_.is_missing(fields[numeric_[k]])) continue;
    const ExactNumber exact = exact_number(numbers_.plain(fields[numeric_[k]]));
    table_.precision.wants(k, value);
    table_.precision.note(k, value, exact.value, exact.whole);
  }
}

void TableRows::make_header(std::vector<std::string> names) {
  roles_.names = std::move(names);
  forget_values_of_first_row();
  const auto row = static_cast<std::ptrdiff_t>(first_row_);
  table_.labels.erase(table_.labels.begin() + row);
  if (!table_.ids.empty()) table_.ids.erase(table_.ids.begin() + row);
  if (!table_.weights.empty()) table_.weights.erase(table_.weights.begin() + row);
  if (!table_.groups.empty()) table_.groups.erase(table_.groups.begin() + row);
  for (CategoryColumn& column : table_.categorical) column.forget(first_row_);
  if (!table_.expected.of_model) check_category_names();
}

/// The rows after it move up.
void TableRows::forget_values_of_first_row() {
  std::size_t place = first_row_;
  bool there = true;
  if (!table_.wanted.all()) {
    const auto found = std::ranges::lower_bound(table_.kept, first_row_);
    place = static_cast<std::size_t>(found - table_.kept.begin());
    there = found != table_.kept.end() && *found == first_row_;
    for (auto behind = there ? table_.kept.erase(found) : found; behind != table_.kept.end();
         ++behind)
      --*behind;
  }
  const auto begin = table_.values.begin() + static_cast<std::ptrdiff_t>(place * table_.cols);
  if (there) table_.values.erase(begin, begin + static_cast<std::ptrdiff_t>(table_.cols));
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
  std::vector<bool> holds_values(roles_.names.size(), false);
  for (const std::size_t c : roles_.values) holds_values[c] = true;
  for (std::size_t c = 0; c < roles_.names.size(); ++c)
    if (c != roles_.label && !holds_values[c]) expected.left_out.push_back(roles_.names[c]);
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
