// SPDX-License-Identifier: MIT
#include "serve/rows/csv_rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "semblance/missing_mark.hpp"
#include "semblance/parsed_float.hpp"
#include "semblance/table_fields.hpp"

namespace semblance::serving {
namespace {

std::string_view trimmed_field(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool holds_number(std::string_view field) {
  float ignored = 0;
  return parse_float(field, ignored) == nullptr;
}

}  // namespace

CsvLines::CsvLines(const RowColumns& columns, std::size_t width, bool sparse)
    : columns_(columns), width_(width), named_(columns, columns.named() ? width : 0, sparse) {}

float CsvLines::number_of(std::string_view field, std::size_t column,
                          const std::string& name) const {
  if (columns_.hold_names()) return columns_.number_of_name(column, field);
  if (marks_missing(field)) {
    if (columns_.may_lack(column)) return std::numeric_limits<float>::quiet_NaN();
    throw Error("column " + name + " has no value; give one, or omit the row");
  }
  float value = 0;
  if (const char* problem = parse_float(field, value))
    throw Error("column " + name + ": " + in_quotes(field) + " " + problem + "; correct it");
  return value;
}

void CsvLines::split(std::string_view line) {
  const FieldSplit split = split_fields(line, ',', fields_, unquoted_);
  if (split == FieldSplit::open_quote) throw Error("a quote is opened and not closed; close it");
  if (split == FieldSplit::text_after_quote)
    throw Error("text follows the quoted field " + in_quotes(unquoted_.back()) +
                "; double the quotes in it");
}

void CsvLines::read_header(std::string_view line) {
  split(line);
  header_.clear();
  for (const std::string_view name : fields_) {
    const RowColumns::Field& field = columns_.known(name);
    if (std::ranges::find(header_, &field) != header_.end())
      throw Error("the header names the column " + in_quotes(name) + " twice; name it once");
    header_.push_back(&field);
  }
  if (columns_.are_all(fields_)) return;
  for (const std::string& name : columns_.names()) {
    const auto gives = [&](const RowColumns::Field* field) {
      return columns_.field(name) == field || std::ranges::any_of(field->categories, [&](auto k) {
               return columns_.names()[k] == name;
             });
    };
    if (std::ranges::none_of(header_, gives))
      throw Error("the header lacks the column " + in_quotes(name) +
                  "; give all columns of the model");
  }
  throw Error("the header names a column and categories of it; name either");
}

bool CsvLines::is_header(std::string_view line) {
  split(line);
  const bool named = columns_.are_all(fields_);
  if (columns_.hold_names()) return named;
  const bool numbers = std::ranges::all_of(fields_, holds_number);
  if (named && numbers)
    throw Error(
        "the names of the columns are numbers, so this can be a header or a row; say which: "
        "text/csv; header=present or text/csv; header=absent");
  if (named || numbers) return named;
  // Names with a mistake: the header's error message is better.
  return columns_.named() && std::ranges::none_of(fields_, holds_number) &&
         std::ranges::any_of(fields_, [&](auto field) { return columns_.field(field); });
}

void CsvLines::read_by_name(std::span<float> values) {
  if (fields_.size() != header_.size())
    throw Error("has " + std::to_string(fields_.size()) + " values, but the header has " +
                std::to_string(header_.size()) + " names");
  named_.begin();
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const RowColumns::Field& field = *header_[k];
    if (field.categories.empty())
      named_.set_number(field, number_of(fields_[k], field.column, in_quotes(field.name)));
    else
      named_.set_text(field, fields_[k]);
  }
  std::ranges::copy(named_.finish(), values.begin());
}

void CsvLines::read_row(std::string_view line, std::span<float> values) {
  if (trimmed_field(line).empty() && width_ > 1) throw Error("is empty; give a row");
  split(line);
  if (!header_.empty()) {
    read_by_name(values);
    return;
  }
  columns_.check_width(fields_.size(), width_);
  for (std::size_t k = 0; k < fields_.size(); ++k)
    values[k] = number_of(
        fields_[k], k,
        std::to_string(k + 1) + (columns_.named() ? " (" + columns_.described(k) + ")" : ""));
}

std::optional<std::string_view> take_line(std::string_view& text, char line_end) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = std::min(text.find(line_end), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

namespace {

/// Appends the following lines that a quoted field extends over; returns their number.
std::size_t join_lines(std::string_view& record, std::string_view& text, char line_end,
                       std::string& joined, RowLines& lines) {
  if (record.find('"') == record.npos || !lines.is_open(record)) return 0;
  constexpr std::size_t longest = std::size_t{1} << 20, most_looks = 64;
  joined = record;
  std::size_t count = 0, looks = 0;
  while (const auto next = take_line(text, line_end)) {
    ++count;
    joined.append("\n").append(*next);
    // Without another quote nothing is closed. Each check reads the whole record, and a client may
    // provoke this very often.
    if (next->find('"') != next->npos && !lines.is_open(joined)) break;
    looks += next->find('"') != next->npos ? 1 : 0;
    if (joined.size() > longest || looks > most_looks)
      throw Error("a quoted field is not closed; correct the quotes");
  }
  record = joined;
  return count;
}

}  // namespace

void read_csv(std::string_view text, Header header, RowLines& lines, GivenRows& rows) {
  while (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  // Old spreadsheets end lines with CR alone.
  const char line_end = text.find('\n') == text.npos ? '\r' : '\n';
  std::vector<float> values(rows.width());
  std::string joined;
  bool first = true;
  for (std::size_t number = 1, behind = 0; auto line = take_line(text, line_end);
       number += 1 + behind) {
    behind = 0;
    if (trimmed_field(*line).empty()) continue;
    try {
      if (first && lines.is_preamble(*line)) continue;
      behind = join_lines(*line, text, line_end, joined, lines);
      if (std::exchange(first, false) &&
          (header == Header::present || (header == Header::find_out && lines.is_header(*line)))) {
        lines.read_header(*line);
      } else {
        lines.read_row(*line, values);
        rows.add(values);
      }
    } catch (const TooMuch&) {
      throw;
    } catch (const Error& problem) {
      throw Error("line " + std::to_string(number) + ": " + problem.what());
    }
  }
}

}  // namespace semblance::serving
