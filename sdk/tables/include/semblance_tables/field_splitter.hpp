// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/table_fields.hpp"
#include "semblance_tables/column_roles.hpp"

namespace semblance {

inline constexpr const char* open_quote_problem =
    "a quoted field is not closed; correct the quotes";
inline constexpr const char* text_after_quote_problem =
    "text follows a quoted field; double the quotes in it";

/// Splits lines into fields. The separator is the format's, that of a line `sep=;`, by which
/// spreadsheets name it, or what the first line shows: blanks and tabs are its last choice.
class FieldSplitter {
 public:
  /// `remedy`: for a first line whose commas may be decimal ones. The format must live as long.
  FieldSplitter(const TableFormat& format, std::string remedy)
      : format_(format), remedy_(std::move(remedy)) {}

  /// Whether a first line only names the separator.
  bool take_preamble(std::string_view line);
  /// Fields are valid until the next call. Throws Error if the first line is ambiguous.
  FieldSplit split(std::string_view line, std::vector<std::string_view>& fields);
  /// 0 for blanks.
  char separator() const noexcept { return separator_.value_or('\0'); }

 private:
  char separator_of(std::string_view line) const;

  const TableFormat& format_;
  std::string remedy_;
  std::optional<char> separator_;
  bool begun_ = false;
  std::vector<std::string> owned_;
};

/// Joins a line with a quoted field that is not closed and the lines after it, up to the one that
/// closes it. False if none does, also within 1 MiB. `most_looks`: at the whole text, which takes
/// long if it is made for that.
bool join_open_lines(std::string_view first, std::string& joined,
                     const std::function<bool(std::string_view& line)>& next,
                     const std::function<bool(std::string_view lines)>& is_open,
                     std::size_t most_looks = std::string::npos);

}  // namespace semblance
