// SPDX-License-Identifier: MIT
#include "serve/rows/csv_rows.hpp"

#include <algorithm>

#include "semblance/parsed_float.hpp"

namespace semblance::serving {
namespace {

std::string_view trimmed_field(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// What marks a value as missing in source/csv.
bool is_missing(std::string_view field) {
  if (field.empty() || field == "?") return true;
  if (field.size() > 4) return false;
  std::string lower(field);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower == "na" || lower == "n/a" || lower == "nan" || lower == "null";
}

float number_of(std::string_view field, const std::string& column) {
  if (is_missing(field))
    throw Error("column " + column + " has no value; give one, or leave the row out");
  float value = 0;
  if (const char* problem = parse_float(field, value))
    throw Error("column " + column + ": " + in_quotes(field) + " " + problem + "; correct it");
  return value;
}

bool holds_number(std::string_view field) {
  float ignored = 0;
  return parse_float(field, ignored) == nullptr;
}

}  // namespace

CsvLines::CsvLines(const RowColumns& columns, std::size_t width, bool sparse)
    : columns_(columns), width_(width), named_(columns, columns.named() ? width : 0, sparse) {}

/// RFC 4180 within one line.
void CsvLines::split(std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(static_cast<std::size_t>(std::ranges::count(line, '"')));  // views stay valid
  for (std::size_t at = 0;; ++at) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at >= line.size() || line[at] != '"') {
      const std::size_t end = std::min(line.find(',', at), line.size());
      fields_.push_back(trimmed_field(line.substr(at, end - at)));
      at = end;
    } else {
      std::string& text = unquoted_.emplace_back();
      for (++at;; ++at) {
        if (at >= line.size()) throw Error("a quote is opened and not closed; close it");
        if (line[at] == '"' && (++at >= line.size() || line[at] != '"')) break;
        text += line[at];
      }
      while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
      if (at < line.size() && line[at] != ',')
        throw Error("text follows the quoted field " + in_quotes(text) +
                    "; double the quotes in it");
      fields_.emplace_back(text);
    }
    if (at >= line.size()) return;
  }
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
  const bool numbers = std::ranges::all_of(fields_, holds_number);
  if (named && numbers)
    throw Error(
        "the names of the columns are numbers, so this can be a header or a row; say which: "
        "text/csv; header=present or text/csv; header=absent");
  if (named || numbers) return named;
  // Names with a mistake: the header's message is the better one.
  return columns_.named() && std::ranges::none_of(fields_, holds_number) &&
         std::ranges::any_of(fields_, [&](auto field) { return columns_.field(field); });
}

void CsvLines::read_by_name(GivenRows& rows) {
  if (fields_.size() != header_.size())
    throw Error("has " + std::to_string(fields_.size()) + " values, but the header has " +
                std::to_string(header_.size()) + " names");
  named_.begin();
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const RowColumns::Field& field = *header_[k];
    if (field.categories.empty())
      named_.set_number(field, number_of(fields_[k], in_quotes(field.name)));
    else
      named_.set_text(field, fields_[k]);
  }
  rows.add(named_.finish());
}

void CsvLines::read_row(std::string_view line, GivenRows& rows) {
  if (trimmed_field(line).empty() && width_ > 1) throw Error("is empty; give a row");
  split(line);
  if (!header_.empty()) {
    read_by_name(rows);
    return;
  }
  if (fields_.size() != width_)
    throw Error("has " + std::to_string(fields_.size()) + " values, but the model takes rows of " +
                std::to_string(width_));
  values_.clear();
  for (const std::string_view field : fields_) {
    const std::size_t k = values_.size();
    values_.push_back(number_of(
        field,
        std::to_string(k + 1) + (columns_.named() ? " (" + columns_.described(k) + ")" : "")));
  }
  rows.add(values_);
}

std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void read_csv(std::string_view text, Header header, const RowColumns& columns, GivenRows& rows) {
  CsvLines lines(columns, rows.width(), rows.sparse());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (std::size_t number = 1; const auto line = take_line(text); ++number) {
    try {
      if (number == 1 &&
          (header == Header::present || (header == Header::find_out && lines.is_header(*line))))
        lines.read_header(*line);
      else
        lines.read_row(*line, rows);
    } catch (const TooMuch&) {
      throw;
    } catch (const Error& problem) {
      throw Error("line " + std::to_string(number) + ": " + problem.what());
    }
  }
}

}  // namespace semblance::serving
