// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace semblance {

enum class FieldSplit {
  complete,
  open_quote,       ///< the row ends within quotes: it may continue in the next line
  text_after_quote  ///< text follows a quoted field
};

/// Splits a row of a text table into its fields, without blanks and quotes around them. `separator`
/// 0 means runs of blanks and tabs. Quotes within quotes are doubled or, between blanks, also
/// written as \" like R does. Fields are views of `row`, or of `owned` where they were quoted.
FieldSplit split_fields(std::string_view row, char separator, std::vector<std::string_view>& fields,
                        std::vector<std::string>& owned);

/// The same for a row without quotes, or where they do not count.
void split_plain(std::string_view row, char separator, std::vector<std::string_view>& fields);

}  // namespace semblance
