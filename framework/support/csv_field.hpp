// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance {

/// One field of a CSV file, in quotes where RFC 4180 wants them: what programs read.
std::string csv_field(const std::string& field);

/// The same of a file that people open in a spreadsheet: a text that would be computed there (=, +,
/// - or @ in front, and no number) has an apostrophe before it, which makes it text. So has one
/// that begins with such an apostrophe already, so that it can be taken off again.
std::string spreadsheet_field(const std::string& field);

}  // namespace semblance
