// SPDX-License-Identifier: MIT
#include "tables/csv_records.hpp"

#include <algorithm>
#include <utility>

#include "files/line_reader.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
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
  if (split == FieldSplit::complete) return true;
  if (split == FieldSplit::open_quote) {
    const std::string place = lines_.place();
    const bool closed = join_open_lines(
        line, joined_, [this](std::string_view& next) { return lines_.next(next); },
        [&](std::string_view joined) {
          return (split = splitter_.split(joined, fields)) == FieldSplit::open_quote;
        });
    if (!closed) throw DataError(lines_.path(), place, open_quote_problem);
    if (split == FieldSplit::complete) return true;
  }
  fail(text_after_quote_problem);
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
                      const ColumnFailure& fail) {
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
