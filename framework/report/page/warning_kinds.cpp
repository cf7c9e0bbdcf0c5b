// SPDX-License-Identifier: MIT
#include "report/page/warning_kinds.hpp"

#include <cctype>
#include <map>

namespace semblance {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the number ends that starts at `at`: "5", "1,024", "0.25", "1e-05".
std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  while (digit_at(at) ||
         (at < text.size() && (text[at] == '.' || text[at] == ',') && digit_at(at + 1)))
    ++at;
  if (at >= text.size() || text[at] != 'e') return at;
  std::size_t exponent = at + 1;
  if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
  if (!digit_at(exponent)) return at;
  while (digit_at(exponent)) ++exponent;
  return exponent;
}

/// Where the quoted or bracketed name ends that starts at `at`; `at` itself where none does. The
/// apostrophe of "Wilcoxon's" quotes nothing.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  const char open = text[at];
  if (open != '\'' && open != '"' && open != '[') return at;
  if (open != '[' && at > 0 && is_word(text[at - 1])) return at;
  const std::size_t end = text.find(open == '[' ? ']' : open, at + 1);
  return end == std::string_view::npos ? at : end + 1;
}

/// The text without the name of the node that it begins with: "svm: ", "test[linear,seed=1]: ".
std::string_view without_node(std::string_view text) {
  const std::size_t end = text.find(": ");
  return end == std::string_view::npos || text.find(' ') < end ? text : text.substr(end + 2);
}

}  // namespace

std::string kind_of_warning(std::string_view warning) {
  const std::string_view text = without_node(warning);
  std::string kind;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = end_of_name(text, at);
    if (end == at && is_digit(text[at]) && (at == 0 || !is_word(text[at - 1])))
      end = end_of_number(text, at);
    if (end == at)
      kind += text[at++];
    else
      kind += '\0', at = end;
  }
  return kind;
}

std::vector<std::vector<std::string>> warning_kinds(const std::vector<std::string>& warnings) {
  std::vector<std::vector<std::string>> kinds;
  std::map<std::string, std::size_t> places;
  for (const std::string& warning : warnings) {
    const auto [place, added] = places.emplace(kind_of_warning(warning), kinds.size());
    if (added) kinds.emplace_back();
    kinds[place->second].push_back(warning);
  }
  return kinds;
}

}  // namespace semblance
