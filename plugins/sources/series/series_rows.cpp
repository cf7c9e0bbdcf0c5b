// SPDX-License-Identifier: MIT
#include "series/series_rows.hpp"

#include "semblance/error.hpp"
#include "series/arff_series.hpp"
#include "series/ts_series.hpp"
#include "series/tsv_series.hpp"

namespace semblance::sources {

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
