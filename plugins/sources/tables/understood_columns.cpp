// SPDX-License-Identifier: MIT
#include "tables/understood_columns.hpp"

#include <algorithm>
#include <cmath>

#include "files/line_reader.hpp"
#include "tables/csv_records.hpp"

namespace semblance::sources {
namespace {

/// More different values are not kept.
constexpr std::size_t most_values = 2000;

/// A column of so many texts, at least one for every second row, is names or remarks.
constexpr std::size_t many_texts = 20;

/// Fewer rows do not tell a counter, an identifier or a copy from chance.
constexpr std::size_t enough_rows = 20;

/// A column of numbers with a few texts among few values holds categories.
constexpr std::size_t few_values = 30;

bool names_identifiers(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const char* word : {"id", "ids", "identifier", "uuid", "index", "rownames", "row"})
    if (lower == word) return true;
  return lower.size() > 3 && (lower.ends_with("_id") || lower.ends_with(".id") ||
                              lower.ends_with(" id") || lower.ends_with("-id"));
}

/// What a date such as 31/5/24 is taken for, if this is one.
std::string short_years(std::string_view date) {
  date = date.substr(0, date.find_first_of(" T"));
  const bool year_first = date.find_first_not_of("0123456789") == 4;
  return !year_first && date.size() - date.find_last_of("-/.") == 3
             ? ", whose years of two digits are 1969 to 2068,"
             : "";
}

}  // namespace

void ColumnSurvey::look(std::string_view field, Column& column) {
  ++column.rows;
  if (format_.is_missing(field)) {
    ++column.missing;
    column.counts = false;
    column.codes.push_back(-1);
    return;
  }
  float value = 0;
  double wide = 0;
  const char* const problem = numbers_.parse(field, value, wide);
  if (!problem || std::string_view(problem) != "is not a number") {
    ++column.numbers;
    column.counts &=
        !problem && wide == std::floor(wide) && (column.rows == 1 || wide == column.last + 1);
    column.whole &= !problem && wide == std::floor(wide);
    if (column.rows == 1) column.first = wide;
    column.last = wide;
  } else {
    ++column.texts;
    column.counts = false;
    if (looks_like_date(field)) {
      ++column.dates;
      const auto day = date_numbers(trimmed(field), DateForm::day_first),
                 month = date_numbers(trimmed(field), DateForm::month_first);
      column.day_first += day.has_value();
      column.month_first += month.has_value();
      column.ambiguous += day && month && *day != *month;
    }
    if (column.text.empty()) column.text = field;
    if (other_form_.is_number(field) && column.in_other_form++ == 0) column.other_form = field;
  }
  if (column.many) return;
  const auto found = column.values.find(field);
  if (found != column.values.end()) return column.codes.push_back(found->second);
  if (column.values.size() == most_values) {
    column.many = true;
    return;
  }
  const auto code = static_cast<std::int32_t>(column.values.size());
  column.values.emplace(field, code);
  column.codes.push_back(code);
}

/// Nothing where some are no dates, or the order of day and month is not known.
std::optional<DateForm> ColumnSurvey::form_of(const Column& column) {
  const std::size_t all = column.texts;
  if (column.numbers > 0 || all == 0) return std::nullopt;
  if (column.day_first == all && (column.month_first < all || column.ambiguous == 0))
    return DateForm::day_first;
  if (column.month_first == all && column.day_first < all) return DateForm::month_first;
  return std::nullopt;
}

void ColumnSurvey::find_date_forms(ColumnRoles& roles, const ColumnFailure& fail) const {
  for (auto& [c, form] : roles.dates) {
    const Column& column = columns_.at(c);
    const auto found = form_of(column);
    if (column.rows > 0 && !found)
      fail("column " + roles.describe(c) + ", which 'dates' names, holds " +
           (column.day_first > 0 && column.day_first == column.month_first && column.numbers == 0 &&
                    column.day_first == column.texts
                ? "dates whose day and month cannot be distinguished; write them as 2024-05-31"
                : "values that are not dates, or dates in several forms; correct them, or name it "
                  "in 'ignore'"));
    form = found.value_or(form);
  }
}

void ColumnSurvey::add(const std::vector<std::string_view>& fields) {
  if (rows_++ == 0) columns_.resize(fields.size());
  // The first line is left out, as it may be names; a row less says nothing else.
  if (rows_ == 1) return;
  for (std::size_t c = 0; c < std::min(fields.size(), columns_.size()); ++c)
    look(fields[c], columns_[c]);
}

/// Whether the columns have the same values or, where values repeat, other names for them. Any two
/// columns without a repeated value could have been each other's names.
bool ColumnSurvey::same(const Column& one, const Column& other) {
  if (one.many || other.many || one.values.size() != other.values.size() ||
      one.codes.size() != other.codes.size())
    return false;
  if (2 * one.values.size() > one.rows)
    return one.codes == other.codes && one.values == other.values;
  std::vector<std::int32_t> partner(one.values.size() + 1, -2);
  std::vector<bool> taken(other.values.size() + 1, false);
  for (std::size_t r = 0; r < one.codes.size(); ++r) {
    std::int32_t& known = partner[static_cast<std::size_t>(std::int64_t{one.codes[r]} + 1)];
    const auto code = static_cast<std::size_t>(std::int64_t{other.codes[r]} + 1);
    if (known == -2) {
      if (taken[code]) return false;
      taken[code] = true;
      known = other.codes[r];
    } else if (known != other.codes[r]) {
      return false;
    }
  }
  return true;
}

ColumnSurvey::Advice ColumnSurvey::advice(std::size_t c, const ColumnRoles& roles,
                                          const std::vector<std::size_t>& earlier,
                                          const ColumnFailure& fail) const {
  const Column& column = columns_.at(c);
  const std::string_view name = roles.names.empty() ? std::string_view() : roles.names[c];
  if (column.rows < 2) return {column.numbers == 0 && column.texts > 0, {}};
  if (column.missing == column.rows) return {false, "it has no values"};
  if (column.values.size() == 1 && column.missing == 0) return {false, "it has one value"};
  if (2 * column.in_other_form > column.texts)
    fail("column " + roles.describe(c) + " has numbers in another form, such as " +
         in_quotes(column.other_form) + "; " + numbers_.remedy(column.other_form) +
         ", or name the column in 'categorical' or 'ignore'");
  const bool all_different =
      column.missing == 0 && !column.many && column.values.size() == column.rows;
  if (column.counts && column.rows >= enough_rows && column.first <= 2 && column.first >= 0)
    return {false, "it counts the rows"};
  if (column.rows >= enough_rows && names_identifiers(name) &&
      (column.many || 2 * column.values.size() > column.rows))
    return {false, "it identifies rows"};
  // Texts such as "5 %" and "1'000" are numbers once they are written otherwise.
  const auto unread = [&](const std::string& why) {
    const std::string remedy = numbers_.remedy(column.text);
    return Advice{false, remedy.empty() ? why
                                        : why + ", such as " + in_quotes(column.text) +
                                              "; if it holds numbers, " + remedy};
  };
  const auto date = roles.names.empty() ? std::nullopt : form_of(column);
  const bool many_dates = 2 * column.dates > column.texts;
  if (column.numbers == 0 && column.rows >= enough_rows && all_different && !many_dates)
    return unread("each row has another text");
  const auto repeats = [&](std::size_t other) {
    return other != ColumnRoles::none && column.rows >= enough_rows &&
           same(column, columns_[other]);
  };
  for (const std::size_t other : earlier)
    if (column.values.size() > 1 && repeats(other))
      return {false, "it says the same as " + roles.describe(other)};
  if (repeats(roles.label)) return {false, "it says the same as the label"};
  if (std::ranges::any_of(roles.targets, repeats)) return {false, "it says the same as the target"};
  if (column.texts == 0)
    return {column.whole && !column.many && column.values.size() > 2 &&
                column.values.size() <= format_.number_categories,
            {}};
  if (date) return {false, {}, date};
  if (many_dates)
    return {false,
            column.day_first == column.texts && column.month_first == column.texts
                ? "it holds dates whose day and month cannot be distinguished; write them as "
                  "2024-05-31"
                : "it holds dates or times that are not read; make numbers of them, or "
                  "write them as 2024-05-31 12:30"};
  const bool many =
      column.values.size() > many_texts && 2 * column.values.size() >= column.rows - column.missing;
  const bool mostly_texts = column.texts > column.numbers;
  if (mostly_texts && column.many) return unread("it has more than 2000 different texts");
  if (mostly_texts && many) return unread("nearly each row has another text");
  if (column.numbers > 0 && !mostly_texts && (column.many || column.values.size() > few_values))
    fail("column " + roles.describe(c) + " has numbers and texts such as " +
         in_quotes(column.text) +
         "; correct them, or name the column in 'categorical' or 'ignore'");
  return {true, {}};
}

std::vector<LeftOut> ColumnSurvey::understand(ColumnRoles& roles, const ColumnFailure& fail) const {
  std::vector<LeftOut> left_out;
  std::vector<std::size_t> kept;
  std::vector<bool> categorical;
  for (std::size_t k = 0; k < roles.values.size(); ++k) {
    const std::size_t c = roles.values[k];
    const auto known = roles.dates.contains(c) ? Advice() : advice(c, roles, kept, fail);
    if (known.date && !roles.categorical[k]) {
      roles.dates.emplace(c, *known.date);
      left_out.push_back({roles.describe(c) + short_years(columns_.at(c).text),
                          "dates: days since 1970, day of the year and weekday; name it in "
                          "'ignore' to leave it out",
                          true});
    }
    const bool stays = known.left_out.empty() || roles.categorical[k] || roles.names.empty();
    if (!known.left_out.empty() && !roles.categorical[k])
      left_out.push_back({roles.describe(c), known.left_out});
    if (!stays) continue;
    const std::string remedy = known.categories ? numbers_.remedy(columns_.at(c).text) : "";
    if (!remedy.empty() && !roles.categorical[k])
      left_out.push_back({roles.describe(c),
                          "categories, such as " + in_quotes(columns_.at(c).text) +
                              "; if it holds numbers, " + remedy,
                          true});
    kept.push_back(c);
    categorical.push_back(roles.categorical[k] || known.categories);
  }
  if (kept.empty()) fail("no column says anything; name those to read in 'columns'");
  roles.values = std::move(kept);
  roles.categorical = std::move(categorical);
  return left_out;
}

void report_left_out(const std::string& file, const ColumnRoles& roles,
                     const std::vector<LeftOut>& left_out, Context& context) {
  constexpr std::size_t shown = 3;
  std::map<std::string, std::size_t> alike;
  std::map<std::string, std::string> further;
  for (const auto& [column, why, read] : left_out)
    if (++alike[why] > shown && !read)
      further[why] += ", " + column;
    else
      context.log(LogLevel::warning,
                  file + ": column " + column + " is " +
                      (read ? "read as " + why
                       : roles.names.empty()
                           ? "read, though " + why + "; name its number in 'ignore' to leave it out"
                           : "left out: " + why));
  for (const auto& [why, columns] : further)
    context.log(LogLevel::warning, file + ": the same holds for " +
                                       std::to_string(alike[why] - shown) + " more, as " + why +
                                       ": " + columns.substr(2));
}

void CopiedRows::look(const std::vector<std::string_view>& fields,
                      const std::vector<std::size_t>& columns) {
  std::string values;
  for (const std::size_t c : columns) values.append(fields[c]).push_back('\0');
  hashes_.insert(std::hash<std::string>()(values));
  ++rows_;
}

void CopiedRows::tell(const std::string& file, Context& context) const {
  const std::size_t copies = rows_ - hashes_.size();
  if (copies == 0 || 20 * copies < rows_) return;
  context.log(LogLevel::warning,
              file + ": " + std::to_string(copies) + " of " + std::to_string(rows_) +
                  " rows have the values of an earlier row; if such rows are one thing twice, "
                  "errors on held-out rows are too low: remove copies, or name in 'groups' a "
                  "column that says what belongs together");
}

ColumnSurvey survey_columns(const std::string& file, const TableFormat& format, Context& context) {
  LineReader lines(file);
  CsvRecords records(lines, format);
  const bool row_names = header_lacks_row_names(file, format);
  ColumnSurvey survey(format);
  std::vector<std::string_view> fields;
  for (std::size_t count = 0; records.next(fields); ++count) {
    if (count % 4096 == 0) context.check_stop();
    if (count == 0 && row_names) fields.insert(fields.begin(), std::string_view());
    survey.add(fields);
  }
  return survey;
}

}  // namespace semblance::sources
