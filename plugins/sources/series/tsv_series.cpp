// SPDX-License-Identifier: MIT
#include "series/tsv_series.hpp"

#include "series/series_builder.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
namespace {

/// Takes the first field off `rest`; false if none is left. A separator 0 means runs of blanks.
bool take_field(std::string_view& rest, bool& more, char separator, std::string_view& field) {
  if (!more) return false;
  if (separator == 0) {
    rest = trimmed(rest);
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    field = rest.substr(0, end);
    rest.remove_prefix(end);
    more = !trimmed(rest).empty();
    return !field.empty();
  }
  const std::size_t end = rest.find(separator);
  field = rest.substr(0, end);
  more = end != rest.npos;
  rest.remove_prefix(more ? end + 1 : rest.size());
  return true;
}

char separator_of(std::string_view line) {
  if (line.find('\t') != line.npos) return '\t';
  return line.find(',') != line.npos ? ',' : '\0';
}

}  // namespace

void read_tsv_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                     Context& context) {
  LineReader lines(file);
  SeriesBuilder builder(lines, format, rows);
  std::string_view line;
  char separator = '\t';
  bool first = true;
  while (lines.next(line)) {
    if (trimmed(line).empty()) continue;
    context.check_stop();
    if (first) separator = separator_of(line);
    first = false;
    std::string_view label, field;
    bool more = true;
    if (format.labelled) take_field(line, more, separator, label);
    while (take_field(line, more, separator, field)) builder.add(field);
    builder.end_channel();
    builder.end_series(true, format.labelled ? &label : nullptr, context);
  }
  builder.end_file();
}

}  // namespace semblance::sources
