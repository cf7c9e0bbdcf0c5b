// SPDX-License-Identifier: MIT
#include "text/column_types.hpp"

#include <algorithm>

#include "text/csv_records.hpp"
#include "text/line_reader.hpp"
#include "text/number_form.hpp"
#include "text/text_table.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
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
