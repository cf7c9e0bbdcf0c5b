// SPDX-License-Identifier: MIT
#include "support/csv_field.hpp"

#include <charconv>
#include <string_view>

namespace semblance {
namespace {

bool is_number(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const char* const end = field.data() + field.size();
  return std::from_chars(field.data(), end, value).ptr == end;
}

/// Spreadsheets skip leading blanks. A sign alone is not a formula.
bool is_formula(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t\r\n");
  if (first == field.npos || first + 1 == field.size()) return false;
  return std::string_view("=+-@").find(field[first]) != std::string_view::npos &&
         !is_number(field.substr(first));
}

}  // namespace

std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string spreadsheet_field(const std::string& field) {
  std::string_view behind = field;
  while (behind.starts_with('\'')) behind.remove_prefix(1);
  return csv_field(is_formula(behind) ? "'" + field : field);
}

}  // namespace semblance
