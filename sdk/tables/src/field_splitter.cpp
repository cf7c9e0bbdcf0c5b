// SPDX-License-Identifier: MIT
#include "semblance_tables/field_splitter.hpp"

#include <algorithm>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance {
namespace {

/// The line without what is in quotes.
std::string without_quoted(std::string_view line) {
  std::string text;
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (!quoted)
      text += c;
  return text;
}

/// The number of fields with a decimal comma, if the line is split this way.
std::ptrdiff_t decimal_commas(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  std::vector<std::string> owned;
  if (split_fields(line, separator, fields, owned) != FieldSplit::complete) return 0;
  return std::ranges::count_if(fields, has_decimal_comma);
}

}  // namespace

bool FieldSplitter::take_preamble(std::string_view line) {
  constexpr std::size_t length = 5;
  if (begun_ || line.size() != length || lower_case(line.substr(0, 4)) != "sep=") return false;
  if (std::string_view(",;\t|:").find(line.back()) == std::string_view::npos) return false;
  if (format_.separator == "auto") separator_ = line.back();
  return begun_ = true;
}

char FieldSplitter::separator_of(std::string_view line) const {
  const std::string& s = format_.separator;
  if (s != "auto") return s == "comma" ? ',' : s == "semicolon" ? ';' : s == "tab" ? '\t' : '\0';
  const std::string open = without_quoted(line);
  const auto count = [&](char c) { return std::ranges::count(open, c); };
  const char more = count(';') < count('\t') ? '\t' : ';', other = count(more) ? more : '\0';
  if (format_.decimal_comma || !count(',')) return other;
  // With blanks, which also occur in texts, one such field proves nothing.
  if (decimal_commas(line, other) > (other ? 0 : 1))
    throw Error("has commas that separate fields or are decimal ones; " + remedy_);
  // The rarer of both is part of a text, as in a name such as "city, country".
  return other && count(other) > count(',') ? other : ',';
}

FieldSplit FieldSplitter::split(std::string_view line, std::vector<std::string_view>& fields) {
  if (!separator_) separator_ = separator_of(line);
  begun_ = true;
  return split_fields(line, *separator_, fields, owned_);
}

bool join_open_lines(std::string_view first, std::string& joined,
                     const std::function<bool(std::string_view&)>& next,
                     const std::function<bool(std::string_view)>& is_open, std::size_t most_looks) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  joined = first;
  std::size_t looks = 0;
  for (std::string_view line; next(line);) {
    joined.append("\n").append(line);
    if (joined.size() > longest) return false;
    if (line.find('"') == line.npos) continue;  // without another quote nothing is closed
    if (!is_open(joined)) return true;
    if (++looks > most_looks) return false;
  }
  return false;
}

}  // namespace semblance
