// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance {

/// One field of a CSV file for programs, in quotes where RFC 4180 requires them.
std::string csv_field(const std::string& field);

/// One field of a file that people open in a spreadsheet. A text that a spreadsheet would compute
/// (=, +, - or @ at the start, and not a number) gets an apostrophe, which makes it text. So does a
/// text that already begins with such an apostrophe, so that the apostrophe can be removed again.
std::string spreadsheet_field(const std::string& field);

}  // namespace semblance
