// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace semblance {

/// How the lines of a text end, as its beginning shows: with LF (or CRLF) or, where that has none,
/// with CR, as old spreadsheets write them. Throws Error, a sentence without subject, for a
/// spreadsheet or an archive.
char line_end_of(std::string_view start);

/// The line without CR at its end and, if it is the first, without byte order marks. Throws Error,
/// a sentence without subject, if it is no line of text: it has a NUL byte, or the other line end.
std::string_view checked_line(std::string_view line, bool first, char line_end = '\n');

}  // namespace semblance
