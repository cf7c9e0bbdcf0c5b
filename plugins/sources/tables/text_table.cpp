// SPDX-License-Identifier: MIT
#include "tables/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"

namespace semblance::sources {

TableRows::TableRows(const LineReader& lines, const FileFormat& format, TextTable& table)
    : lines_(lines),
      format_(format),
      table_(table),
      numbers_(format.decimal_comma),
      fail_([this](const std::string& what) { fail(what); }),
      first_row_(table.rows()) {
  if (table.model) model_.emplace(*table.model, format, ModelRowRules{table.accepts_unknown});
  // New rows are not learned from, so their weights do not matter.
  const bool learned = !table.model;
  rules_ = {format.labels,
            false,
            true,
            true,
            learned && (!format.weight.empty() || format.row_weights),
            !format.groups.empty(),
            format.decimal_comma,
            [this](Fact fact, std::size_t target) { return name_of(fact, target); },
            !learned};
}

void TableRows::fail(const std::string& what) const {
  throw DataError(lines_.path(), lines_.place(), what);
}

ColumnRoles TableRows::find(std::span<const std::string_view> fields,
                            std::vector<std::string> names, const ColumnFailure& fail) {
  fields_in_line_ = names.empty() ? fields.size() : names.size();
  if (model_) return model_->find(fields, std::move(names), fail);
  return find_roles(fields_in_line_, std::move(names), format_, table_.expected, fail);
}

void TableRows::check_fields(std::size_t fields, std::size_t first_line) const {
  if (fields == fields_in_line_) return;
  try {
    if (model_) model_->check_fields(fields);
  } catch (const Error& problem) {
    fail(problem.what());
  }
  fail("has " + std::to_string(fields) + " fields, but line " + std::to_string(first_line) +
       " has " + std::to_string(fields_in_line_) + "; every row needs the same number");
}

std::optional<bool> TableRows::names_known_columns(std::span<const std::string_view> fields) {
  if (model_ && model_->knows_names(fields)) return model_->is_header(fields);
  if (model_ || table_.expected.names.empty()) return std::nullopt;
  return are_names(fields, table_.expected.names, numbers_);
}

void TableRows::begin(ColumnRoles roles) {
  roles_ = std::move(roles);
  if (table_.targets.empty()) table_.targets.set_names(roles_.target_names());
  if (model_) {
    table_.cols = table_.model->layout.size();
    return;
  }
  numeric_.clear();
  categorical_.clear();
  for (std::size_t k = 0; k < roles_.values.size(); ++k) {
    const std::size_t c = roles_.values[k];
    const auto date = roles_.dates.find(c);
    if (roles_.categorical[k])
      categorical_.push_back(c);
    else if (date == roles_.dates.end())
      numeric_.push_back({c, std::nullopt});
    else
      for (std::size_t part = 0; part < date_numbers_count; ++part)
        numeric_.push_back({c, date->second, part});
  }
  table_.cols = numeric_.size();
  table_.precision.resize(table_.cols);
  table_.categorical.resize(categorical_.size());
  check_category_names();
}

/// A model names categories like color=red, and dates like when=weekday: these names must be
/// unambiguous.
void TableRows::check_category_names() const {
  if (!roles_.dates.empty() && roles_.names.empty())
    fail("columns of dates need names; give the file a header, or name them in 'ignore'");
  std::vector<std::size_t> several = categorical_;
  for (const auto& [c, form] : roles_.dates) several.push_back(c);
  if (several.empty() || roles_.names.empty()) return;
  const auto names = roles_.value_names();
  if (std::ranges::all_of(names, is_numbered_column))
    fail("all columns have names such as " + in_quotes(names[0]) +
         ", as columns of files without a header are called; rename one, or remove the header");
  for (const std::size_t c : several) {
    const std::string& name = roles_.names[c];
    if (name.find('=') != name.npos)
      fail(std::string("the ") +
           (roles_.dates.contains(c) ? "column of dates " : "categorical column ") +
           roles_.describe(c) +
           " has a '=' in its name, which stands between a column and its category; rename it");
    for (const Number& other : numeric_)
      if (roles_.names[other.column].starts_with(name + "="))
        fail("column " + roles_.describe(other.column) + " is named like a category of column " +
             roles_.describe(c) + "; rename one");
  }
}

void TableRows::append(std::span<const std::string_view> fields, std::string_view weight) {
  take_facts(fields, weight);
  const bool left_out = RowFacts::leaves_out(facts_, rules_), all = table_.wanted.all();
  append_values(fields, left_out);
  // Rows that are only counted have no values, but a place among all rows.
  const bool held =
      all || (!left_out && table_.wanted.contains(static_cast<std::int64_t>(table_.rows())));
  if (!all) table_.held.add(held);
  if (left_out || !held) table_.values.resize((table_.stored_rows() + (all ? 1 : 0)) * table_.cols);
  table_.RowFacts::append(facts_, rules_, fail_);
}

void TableRows::append_values(std::span<const std::string_view> fields, bool left_out) {
  if (left_out) {
    for (CategoryColumn& column : table_.categorical) column.add_unknown();
  } else if (!model_) {
    for (std::size_t k = 0; k < numeric_.size(); ++k) append_value(k, fields[numeric_[k].column]);
    for (std::size_t k = 0; k < categorical_.size(); ++k)
      append_category(k, fields[categorical_[k]]);
  } else {
    const std::size_t before = table_.values.size();
    table_.values.resize(before + table_.cols);
    try {
      model_->read(fields, std::span(table_.values).subspan(before));
    } catch (const Error& problem) {
      fail(problem.what());
    }
  }
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

/// For messages.
std::string TableRows::name_of(Fact fact, std::size_t target) const {
  const auto in = [&](const char* name, std::size_t column) {
    return std::string(name) + " in column " + roles_.describe(column);
  };
  if (fact == Fact::label) return "the label in column " + std::to_string(roles_.label + 1);
  if (fact == Fact::target) return in("the target", roles_.targets[target]);
  if (fact == Fact::group) return in("the group", roles_.group);
  if (fact == Fact::id) return "column " + roles_.describe(roles_.id);
  return roles_.weight == ColumnRoles::none ? "the weight in braces"
                                            : in("the weight", roles_.weight);
}

/// NaN if it is missing.
float TableRows::date_value(const Number& number, std::string_view field) const {
  if (const auto values = date_numbers(trimmed(field), *number.date)) return (*values)[number.part];
  if (!format_.is_missing(field))
    fail("column " + roles_.describe(number.column) + " is " + in_quotes(field) +
         ", which is not a date such as 2024-05-31 or 2024-05-31 12:30" +
         (*number.date == DateForm::month_first ? " or 5/31/2024" : " or 31.5.2024") +
         "; correct it, or name the column in 'categorical' or 'ignore'");
  return missing_value(number.column);
}

/// NaN if it is missing.
void TableRows::append_value(std::size_t slot, std::string_view field) {
  if (numeric_[slot].date) return table_.values.push_back(date_value(numeric_[slot], field));
  const std::size_t column = numeric_[slot].column;
  float value = 0;
  double wide = 0;
  if (const char* const problem = numbers_.parse(field, value, wide)) {
    if (!format_.is_missing(field))
      fail("column " + roles_.describe(column) + " is " + in_quotes(field) + ", which " + problem +
           "; " + remedy(field));
    value = missing_value(column);
  }
  table_.values.push_back(value);
  if (!std::isnan(value)) add_exact(table_.precision, slot, wide, numbers_.plain(field));
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
  const bool missing = format_.is_missing(field);
  if (missing && !format_.keeps_missing)
    fail("column " + roles_.describe(categorical_[slot]) +
         " has no value; fill in or remove rows with missing values, or set 'missing: keep', which "
         "makes them a category of their own");
  if (!is_utf8(field))
    fail("column " + roles_.describe(categorical_[slot]) +
         " is not UTF-8 text; save the file as UTF-8");
  table_.categorical[slot].add(missing ? CategoryColumn::missing : field, lines_.path(),
                               lines_.number());
}

void TableRows::finish(Context& context) {
  if (rows() == 0)
    throw DataError(lines_.path(), "", "holds no rows; check that it is the right file");
  // New rows may be close together; the model's training samples were not.
  if (!model_) {
    table_.precision.check(
        lines_.path(),
        [&](std::size_t k) { return "column " + roles_.describe(numeric_[k].column); }, context);
    table_.targets.check(
        lines_.path(),
        [&](std::size_t k) { return "the target column " + roles_.describe(roles_.targets[k]); },
        context);
  }
  record_columns(context);
}

/// Records the columns for users of this file's rows.
void TableRows::record_values() {
  const auto names = roles_.value_names();
  for (std::size_t k = 0; k < roles_.values.size(); ++k) {
    const auto date = roles_.dates.find(roles_.values[k]);
    const bool single = date == roles_.dates.end();
    const std::size_t count = single ? 1 : date_numbers_count;
    table_.places.insert(table_.places.end(), count, roles_.values[k]);
    table_.is_categorical.insert(table_.is_categorical.end(), count, roles_.categorical[k]);
    if (names.empty()) continue;
    const auto own = single ? std::vector{names[k]} : date_names(names[k], date->second);
    table_.columns.insert(table_.columns.end(), own.begin(), own.end());
  }
}

/// Records the columns for the next file and for users of this file's rows.
void TableRows::record_columns(Context& context) {
  ExpectedColumns& expected = table_.expected;
  const bool named = !roles_.names.empty();
  if (model_) {
    table_.columns = model_->value_names(roles_);
    const bool known = model_->knows_names();
    if (named && !known && model_->any_categories())
      context.log(
          LogLevel::warning,
          lines_.path() + ": columns are matched by position: the model has no column names");
    return log_matching(named, known, context);
  }
  const bool known = !expected.names.empty();
  if (expected.count != 0) return log_matching(named, known, context);
  record_values();
  expected.count = roles_.values.size();
  expected.names = roles_.value_names();
  expected.categorical = roles_.categorical;
  for (std::size_t k = 0; k < roles_.values.size(); ++k)
    if (const auto date = roles_.dates.find(roles_.values[k]); date != roles_.dates.end())
      expected.dates.emplace(k, date->second);
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
  if (!model_)
    context.log(LogLevel::warning,
                start + "position, since only one of the two files has a header");
}

}  // namespace semblance::sources
