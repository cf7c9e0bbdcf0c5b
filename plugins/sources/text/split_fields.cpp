// SPDX-License-Identifier: MIT
#include <algorithm>

#include "text/number_form.hpp"
#include "text/text_table.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
namespace {

/// Reads a quoted field whose opening quote is at `at`; moves `at` after the closing one.
bool quoted_field(std::string_view line, std::size_t& at, std::string& out) {
  out.clear();
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      out += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      out += '"';
      ++at;
    } else {
      ++at;
      return true;
    }
  }
  return false;
}

void split_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  std::size_t at = line.find_first_not_of(" \t");
  while (at != line.npos) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
}

/// The number of fields with a decimal comma, if the line is split this way.
std::ptrdiff_t decimal_commas(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  std::vector<std::string> owned;
  if (!split_fields(line, separator, fields, owned)) return 0;
  return std::ranges::count_if(fields, has_decimal_comma);
}

}  // namespace

char named_separator(std::string_view line) {
  constexpr std::size_t length = 5;
  if (line.size() != length || lower_case(line.substr(0, 4)) != "sep=") return 0;
  const char separator = line.back();
  return std::string_view(",;\t|:").find(separator) == std::string_view::npos ? '\0' : separator;
}

char separator_of(const TableFormat& format, std::string_view line, std::string& problem) {
  const std::string& s = format.separator;
  if (s != "auto") return s == "comma" ? ',' : s == "semicolon" ? ';' : s == "tab" ? '\t' : '\0';
  const auto has = [&](char c) { return line.find(c) != line.npos; };
  const char other = has(';') ? ';' : has('\t') ? '\t' : '\0';
  if (format.decimal_comma || !has(',')) return other;
  // With blanks, which also occur in texts, one such field proves nothing.
  if (decimal_commas(line, other) > (other ? 0 : 1))
    problem =
        "has commas that separate fields or are decimal ones; set 'decimal: comma' if they "
        "are decimal ones, else 'separator: comma'";
  return ',';
}

bool ends_in_quotes(std::string_view line, char separator) {
  if (separator == 0) return false;
  std::string ignored;
  for (std::size_t at = 0;;) {
    const std::size_t start = line.find_first_not_of(' ', at);
    std::size_t behind = at;
    if (start != line.npos && line[start] == '"') {
      behind = start;
      if (!quoted_field(line, behind, ignored)) return true;
    }
    const std::size_t end = line.find(separator, behind);
    if (end == line.npos) return false;
    at = end + 1;
  }
}

bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields,
                  std::vector<std::string>& owned) {
  fields.clear();
  owned.clear();
  if (separator == 0) {
    split_blanks(line, fields);
    return true;
  }
  if (line.find('"') == line.npos) {
    for (std::size_t at = 0;;) {
      const std::size_t end = line.find(separator, at);
      fields.push_back(trimmed(line.substr(at, end == line.npos ? end : end - at)));
      if (end == line.npos) return true;
      at = end + 1;
    }
  }
  // Views of `owned` must not move: at most one field a separator, and one more.
  owned.reserve(line.size() + 1);
  for (std::size_t at = 0;;) {
    const std::size_t start = line.find_first_not_of(' ', at);
    std::size_t end = line.find(separator, at);
    if (start != line.npos && line[start] == '"') {
      std::size_t behind = start;
      owned.emplace_back();
      if (!quoted_field(line, behind, owned.back())) return false;
      end = line.find(separator, behind);
      if (!trimmed(line.substr(behind, end == line.npos ? end : end - behind)).empty())
        return false;
      fields.push_back(owned.back());
    } else {
      fields.push_back(trimmed(line.substr(at, end == line.npos ? end : end - at)));
    }
    if (end == line.npos) return true;
    at = end + 1;
  }
}

}  // namespace semblance::sources
