// SPDX-License-Identifier: MIT
#include "text/csv_records.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

/// The line without what is in quotes.
std::string without_quoted(std::string_view line) {
  std::string text;
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (!quoted)
      text += c;
  return text;
}

/// The number of fields with a decimal comma, if the line is split this way.
std::ptrdiff_t decimal_commas(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  std::vector<std::string> owned;
  if (split_fields(line, separator, fields, owned) != FieldSplit::complete) return 0;
  return std::ranges::count_if(fields, has_decimal_comma);
}

}  // namespace

bool FieldSplitter::take_preamble(std::string_view line) {
  constexpr std::size_t length = 5;
  if (begun_ || line.size() != length || lower_case(line.substr(0, 4)) != "sep=") return false;
  if (std::string_view(",;\t|:").find(line.back()) == std::string_view::npos) return false;
  if (format_.separator == "auto") separator_ = line.back();
  return begun_ = true;
}

char FieldSplitter::separator_of(std::string_view line) const {
  const std::string& s = format_.separator;
  if (s != "auto") return s == "comma" ? ',' : s == "semicolon" ? ';' : s == "tab" ? '\t' : '\0';
  const std::string open = without_quoted(line);
  const auto has = [&](char c) { return open.find(c) != open.npos; };
  const char other = has(';') ? ';' : has('\t') ? '\t' : '\0';
  if (format_.decimal_comma || !has(',')) return other;
  // With blanks, which also occur in texts, one such field proves nothing.
  if (decimal_commas(line, other) > (other ? 0 : 1))
    throw Error("has commas that separate fields or are decimal ones; " + remedy_);
  return ',';
}

FieldSplit FieldSplitter::split(std::string_view line, std::vector<std::string_view>& fields) {
  if (!separator_) separator_ = separator_of(line);
  begun_ = true;
  return split_fields(line, *separator_, fields, owned_);
}

void TableRowLines::split(std::string_view line) {
  const FieldSplit split = splitter_.split(line, fields_);
  if (split == FieldSplit::open_quote) throw Error("a quote is opened and not closed; close it");
  if (split == FieldSplit::text_after_quote)
    throw Error("text follows a quoted field; double the quotes in it");
}

void CsvRecords::fail(const std::string& what) const {
  throw DataError(lines_.path(), lines_.place(), what);
}

/// The next one that is not empty.
bool CsvRecords::next_line(std::string_view& line) {
  while (lines_.next(line))
    if (!trimmed(line).empty()) return true;
  return false;
}

bool CsvRecords::next(std::vector<std::string_view>& fields) {
  std::string_view line;
  if (!next_line(line)) return false;
  if (!std::exchange(begun_, true) && splitter_.take_preamble(line) && !next_line(line))
    return false;
  starts_with_quote_ = trimmed(line).starts_with('"');
  FieldSplit split = FieldSplit::complete;
  try {
    split = splitter_.split(line, fields);
  } catch (const Error& problem) {
    fail(problem.what());
  }
  if (split == FieldSplit::open_quote) split = join_lines(line, fields);
  if (split != FieldSplit::complete) fail("text follows a quoted field; correct the quotes");
  return true;
}

/// Up to the one that closes the quotes.
FieldSplit CsvRecords::join_lines(std::string_view first, std::vector<std::string_view>& fields) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const std::string place = lines_.place();
  joined_ = first;
  for (std::string_view line; lines_.next(line);) {
    joined_ += '\n';
    joined_ += line;
    if (joined_.size() > most) break;
    if (line.find('"') == line.npos) continue;
    const FieldSplit split = splitter_.split(joined_, fields);
    if (split != FieldSplit::open_quote) return split;
  }
  throw DataError(lines_.path(), place, "a quoted field is not closed; correct the quotes");
}

bool header_lacks_row_names(const std::string& file, const TableFormat& format) {
  if (format.header == "absent") return false;
  LineReader lines(file);
  CsvRecords records(lines, format);
  std::vector<std::string_view> fields;
  if (!records.next(fields)) return false;
  const std::size_t names = fields.size();
  NumberForm numbers(format.decimal_comma);
  const bool names_only = std::ranges::none_of(
      fields, [&](std::string_view field) { return numbers.is_number(field); });
  for (int row = 1; row <= 3; ++row) {
    if (!records.next(fields)) return row > 1;
    // A separator after the last field also makes one more.
    if (fields.size() != names + 1 || fields.back().empty()) return false;
    if (records.starts_with_quote() || !numbers.is_number(fields[0])) return true;
    // Numbers after commas may be decimals of the preceding number.
    if (records.separator() == ',') return false;
    if (!names_only && fields[0] != std::to_string(row)) return false;
  }
  return true;
}

namespace {

void look(std::string_view field, std::size_t line, NumberForm& numbers, ColumnType& type) {
  if (marks_missing(field)) return;
  // Infinity and values too large for float32 are numbers, though invalid ones.
  float ignored;
  const char* problem = numbers.parse(field, ignored);
  if (!problem || std::string_view(problem) != "is not a number") {
    type.numbers = true;
  } else if (type.line == 0) {
    type.text = field;
    type.line = line;
  }
}

}  // namespace

std::vector<ColumnType> column_types(const std::string& file, const TableFormat& format,
                                     Context& context) {
  LineReader lines(file);
  NumberForm numbers(format.decimal_comma);
  std::vector<ColumnType> first, others;
  std::vector<std::string_view> fields;
  CsvRecords records(lines, format);
  const bool row_names = header_lacks_row_names(file, format);
  for (std::size_t count = 0; records.next(fields); ++count) {
    if (count % 4096 == 0) context.check_stop();
    const bool is_first = first.empty();
    if (is_first && row_names) fields.insert(fields.begin(), std::string_view());
    if (is_first) first.resize(fields.size()), others.resize(fields.size());
    std::vector<ColumnType>& types = is_first ? first : others;
    for (std::size_t c = 0; c < std::min(fields.size(), types.size()); ++c)
      look(fields[c], lines.number(), numbers, types[c]);
  }
  for (std::size_t c = 0; c < others.size(); ++c)
    if (!others[c].numbers && others[c].line == 0) others[c] = first[c];
  return others;
}

bool holds_categories(const ColumnType& type, const std::string& column, const TableFormat& format,
                      const RoleFailure& fail) {
  if (type.line == 0) return false;
  const std::string remedy = NumberForm(format.decimal_comma).remedy(type.text);
  const std::string what = "column " + column + " is " + in_quotes(type.text) + " in line " +
                           std::to_string(type.line) + ", ";
  if (!remedy.empty())
    fail(what + "which is neither a number nor, by its looks, a category; " + remedy +
         ", or list all categorical columns in 'categorical'");
  if (type.numbers)
    fail(what +
         "and a number in other rows; correct it, or list all categorical columns in "
         "'categorical'");
  return true;
}

}  // namespace semblance::sources
