// SPDX-License-Identifier: MIT
#include "text/csv_records.hpp"

#include "semblance/error.hpp"
#include "text/text_table.hpp"
#include "text/text_values.hpp"

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
  if (!begun_) {
    begun_ = true;
    const char named = named_separator(line);
    if (named && !next_line(line)) return false;
    if (named && format_.separator == "auto") {
      separator_ = named;
    } else {
      std::string problem;
      separator_ = separator_of(format_, line, problem);
      if (!problem.empty()) fail(problem);
    }
  }
  starts_with_quote_ = trimmed(line).starts_with('"');
  if (split_fields(line, separator_, fields, owned_)) return true;
  if (!ends_in_quotes(line, separator_)) fail("text follows a quoted field; correct the quotes");
  join_lines(line);
  if (!split_fields(joined_, separator_, fields, owned_))
    fail("text follows a quoted field; correct the quotes");
  return true;
}

/// Up to the one that closes the quotes.
void CsvRecords::join_lines(std::string_view first) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const std::string place = lines_.place();
  joined_ = first;
  for (std::string_view line; lines_.next(line);) {
    joined_ += '\n';
    joined_ += line;
    if (line.find('"') != line.npos && !ends_in_quotes(joined_, separator_)) return;
    if (joined_.size() > most) break;
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
  for (int row = 1; row <= 3; ++row) {
    if (!records.next(fields)) return row > 1;
    // A separator after the last field also makes one more.
    if (fields.size() != names + 1 || fields.back().empty()) return false;
    if (records.starts_with_quote() || !numbers.is_number(fields[0])) return true;
    // Numbers after commas may be decimals of the preceding number.
    if (records.separator() == ',' || fields[0] != std::to_string(row)) return false;
  }
  return true;
}

}  // namespace semblance::sources
