// SPDX-License-Identifier: MIT
#include "semblance/table_fields.hpp"

#include <algorithm>

namespace semblance {
namespace {

constexpr std::string_view blank = " \t";

/// Whether the next field begins at `at`, after blanks: quoted, a number, or a word that R does not
/// quote.
bool begins_field(std::string_view row, std::size_t at) {
  const std::size_t start = row.find_first_not_of(blank, at);
  if (start == row.npos ||
      std::string_view("\"0123456789+-.").find(row[start]) != std::string_view::npos)
    return true;
  const std::string_view word = row.substr(start, row.find_first_of(blank, start) - start);
  return word == "NA" || word == "NaN" || word == "Inf" || word == "TRUE" || word == "FALSE";
}

/// Reads a quoted field whose opening quote is at `at`; moves `at` after the closing one.
bool read_quoted(std::string_view row, bool escapes, std::size_t& at, std::string& out) {
  const auto is_quote = [&](std::size_t i) { return i < row.size() && row[i] == '"'; };
  for (++at; at < row.size(); ++at) {
    // R does not escape a \ itself: before the last quote it is one.
    const bool escaped = escapes && row[at] == '\\' && is_quote(at + 1) && at + 2 < row.size() &&
                         (blank.find(row[at + 2]) == blank.npos || !begins_field(row, at + 2));
    if (escaped || (is_quote(at) && is_quote(at + 1))) {
      out += '"';
      ++at;
    } else if (is_quote(at)) {
      ++at;
      return true;
    } else {
      out += row[at];
    }
  }
  return false;
}

std::string_view trimmed_field(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

void split_plain(std::string_view row, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  const char* const end = row.data() + row.size();
  for (const char *from = row.data(), *at = from;; ++at) {
    if (at != end && *at != separator) continue;
    fields.push_back(trimmed_field({from, static_cast<std::size_t>(at - from)}));
    if (at == end) return;
    from = at + 1;
  }
}

FieldSplit split_fields(std::string_view row, char separator, std::vector<std::string_view>& fields,
                        std::vector<std::string>& owned) {
  fields.clear();
  owned.clear();
  const bool by_blanks = separator == 0;
  if (!by_blanks && row.find('"') == row.npos) {
    split_plain(row, separator, fields);
    return FieldSplit::complete;
  }
  // Views of `owned` must not move.
  owned.reserve(static_cast<std::size_t>(std::ranges::count(row, '"')));
  const std::string_view before = separator == '\t' ? blank.substr(0, 1) : blank;
  const auto end_from = [&](std::size_t at) {
    return std::min(by_blanks ? row.find_first_of(blank, at) : row.find(separator, at), row.size());
  };
  for (std::size_t at = 0;;) {
    const std::size_t start = std::min(row.find_first_not_of(before, at), row.size());
    if (by_blanks && start == row.size()) return FieldSplit::complete;
    std::size_t end = end_from(by_blanks ? start : at);
    if (start < row.size() && row[start] == '"') {
      std::size_t behind = start;
      if (!read_quoted(row, by_blanks, behind, owned.emplace_back())) return FieldSplit::open_quote;
      end = end_from(behind);
      if (!trimmed_field(row.substr(behind, end - behind)).empty())
        return FieldSplit::text_after_quote;
      fields.emplace_back(owned.back());
    } else {
      const std::size_t from = by_blanks ? start : at;
      fields.push_back(trimmed_field(row.substr(from, end - from)));
    }
    if (end == row.size()) return FieldSplit::complete;
    at = end + 1;
  }
}

}  // namespace semblance
