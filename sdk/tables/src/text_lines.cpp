// SPDX-License-Identifier: MIT
#include "semblance_tables/text_lines.hpp"

#include <cstring>

#include "semblance/error.hpp"

namespace semblance {
namespace {

bool has(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

}  // namespace

char line_end_of(std::string_view start) {
  if (start.starts_with("PK\x03\x04") || start.starts_with("\xd0\xcf\x11\xe0"))
    throw Error(
        "is a spreadsheet (such as .xlsx) or an archive, not a text file; open it and save it as "
        "CSV");
  return !has(start, '\n') && has(start, '\r') ? '\r' : '\n';
}

std::string_view checked_line(std::string_view line, bool first, char line_end) {
  while (line.ends_with('\r')) line.remove_suffix(1);  // two, where LF became CRLF twice
  // Programs that add a mark to a file that has one leave two.
  while (first && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (first && line.starts_with("\x1f\x8b"))
    throw Error("begins compressed data (gzip), not text; decompress it first");
  if (first && (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff")))
    throw Error("begins UTF-16 text; save it as UTF-8");
  if (has(line, '\0')) throw Error("holds a NUL byte; this is not a text file");
  const char other = line_end == '\n' ? '\r' : '\n';
  if (has(line, other))
    throw Error(other == '\r'
                    ? "holds a carriage return (CR) before its end; save the file with LF or CRLF "
                      "line ends"
                    : "holds a line feed (LF), though lines before it end with a carriage return "
                      "(CR); save the file with LF or CRLF line ends");
  return line;
}

}  // namespace semblance
