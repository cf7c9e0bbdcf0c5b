// SPDX-License-Identifier: MIT
#include <cctype>

#include "reference/reference_pages.hpp"

namespace semblance::markdown {
namespace {

bool is_word(std::string_view text, std::size_t i) {
  return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
}

char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : ' '; }

/// Only characters that would be markup here: an underscore inside of a word is not emphasis, nor
/// is a star between blanks, and b < x is not a tag.
bool is_markup(std::string_view text, std::size_t i) {
  const char before = i > 0 ? text[i - 1] : ' ', after = at(text, i + 1);
  switch (text[i]) {
    case '_':
      return !(is_word(text, i - 1) && is_word(text, i + 1));
    case '*':
      return !(before == ' ' && after == ' ');
    case '<':
      return is_word(text, i + 1) || after == '/' || after == '!';
    case ']':
      return after == '(';
    case '~':
      return after == '~';
    case '\\':
      return true;
    default:
      return false;
  }
}

std::string cell(std::string_view markdown) {
  std::string text;
  for (const char c : markdown) {
    if (c == '|') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const auto& one : cells) text += " " + cell(one) + " |";
  return text + "\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  bool in_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    if (!in_code && is_markup(text, i)) result += '\\';
    result += text[i];
  }
  return result;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string text = row(head) + row(std::vector<std::string>(head.size(), "---"));
  for (const auto& one : rows) text += row(one);
  return text;
}

}  // namespace semblance::markdown
