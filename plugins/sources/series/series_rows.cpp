// SPDX-License-Identifier: MIT
#include "series/series_rows.hpp"

#include "semblance/error.hpp"
#include "series/series_builder.hpp"
#include "text_values.hpp"

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

/// One series per line: the class, then one field per step, as in the UCR archive. Fields are
/// separated by tabs, else commas, else blanks, depending on the first line. A shorter series is
/// padded with NaN at its end, or has fewer fields.
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

}  // namespace

std::string series_format_of(const std::string& file) {
  std::string_view name = file;
  for (const std::string_view packed : {".gz", ".xz", ".bz2", ".zst"})
    if (name.ends_with(packed)) {
      name.remove_suffix(packed.size());
      break;
    }
  if (name.ends_with(".ts")) return "ts";
  if (name.ends_with(".arff")) return "arff";
  for (const std::string_view table : {".tsv", ".txt", ".csv"})
    if (name.ends_with(table)) return "tsv";
  return "";
}

void read_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                 Context& context) {
  const std::string kind = format.format == "auto" ? series_format_of(file) : format.format;
  if (kind == "tsv") return read_tsv_series(file, format, rows, context);
  if (kind == "ts") return read_ts_series(file, format, rows, context);
  if (kind == "arff") return read_arff_series(file, format, rows, context);
  if (file.ends_with(".zip"))
    throw DataError(file, "", "is an archive; unpack it and name its folder, or a file of it");
  throw DataError(file, "",
                  "its name ends in none of .tsv, .ts and .arff; say which it is with 'format'");
}

}  // namespace semblance::sources
