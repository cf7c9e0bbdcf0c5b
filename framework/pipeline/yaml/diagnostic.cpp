// SPDX-License-Identifier: MIT
#include "pipeline/yaml/diagnostic.hpp"

#include <algorithm>
#include <cstdio>

#include "support/safe_text.hpp"

namespace semblance {
namespace {

constexpr std::size_t widest_line = 100;  // characters shown of a source line
constexpr std::size_t longest_quote = 60;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string printable(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      safe += c;
    } else if (c == '\n') {
      safe += "\\n";
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(byte));
      safe += escape;
    }
  }
  return safe_text(safe);
}

/// Whether the bytes that follow the first byte of a multi-byte character are complete.
bool complete(const std::string& character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return character.size() == (first < 0xC0 ? 1u : first < 0xE0 ? 2u : first < 0xF0 ? 3u : 4u);
}

/// One string per character; characters of another width than one are replaced, so that the caret
/// fits.
std::vector<std::string> characters(const std::string& line) {
  std::vector<std::string> result;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (continues(c) && !result.empty()) {
      result.back() += c;
    } else {
      const bool control = byte < 0x20 || byte == 0x7F || continues(c);
      result.push_back(c == '\t' ? " " : control ? "?" : std::string(1, c));
    }
  }
  for (auto& character : result)
    if (!complete(character) || safe_text(character) != character) character = "?";
  return result;
}

/// The line with the caret below it; a window of a long line.
std::string excerpt(const Diagnostic& d) {
  const auto line = characters(d.line);
  const std::size_t caret =
      std::min(line.size(), static_cast<std::size_t>(std::max(d.position.column, 1) - 1));
  const bool fits = line.size() <= widest_line || caret <= widest_line * 3 / 4;
  const std::size_t first = fits ? 0 : caret - widest_line / 2;
  const std::size_t last = std::min(line.size(), first + widest_line);

  std::string number = d.file == "--set" ? "" : std::to_string(d.position.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string text = number + " | " + (first > 0 ? "..." : "");
  std::string marks = std::string(number.size(), ' ') + " | " + (first > 0 ? "   " : "");
  for (std::size_t i = first; i < last; ++i) text += line[i];
  if (last < line.size()) text += "...";

  const std::size_t end =
      std::max(caret + 1, std::min(last, caret + static_cast<std::size_t>(std::max(d.length, 1))));
  marks += std::string(caret - first, ' ') + "^" + std::string(end - caret - 1, '~');
  return text + "\n" + marks + "\n";
}

}  // namespace

std::string quote(std::string_view text) {
  if (text.size() <= longest_quote) return "'" + printable(text) + "'";
  std::size_t end = longest_quote;
  while (end > 0 && continues(text[end])) --end;
  return "'" + printable(text.substr(0, end)) + "...'";
}

std::string render(const Diagnostic& d) {
  std::string text = printable(d.file);
  if (d.file != "--set" && d.position.line > 0)
    text += ":" + std::to_string(d.position.line) + ":" + std::to_string(d.position.column);
  text += d.severity == Severity::error ? ": error: " : ": warning: ";
  text += printable(d.message) + "\n";
  if (d.position.line > 0) text += excerpt(d);
  if (!d.help.empty()) text += "      = " + printable(d.help) + "\n";
  return text;
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) text += render(d);
  return text;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) noexcept {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace semblance
