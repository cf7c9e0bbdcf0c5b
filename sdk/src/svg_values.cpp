// SPDX-License-Identifier: MIT
#include "svg_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <span>

namespace semblance::svg {
namespace {

using Text = std::string_view;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void skip_spaces(Text& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

/// Spaces with at most one comma.
void skip_separator(Text& text) {
  skip_spaces(text);
  if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  skip_spaces(text);
}

/// Takes a number off the front: [+-] digits [. digits] [e [+-] digits], finite.
bool take_number(Text& text, double& value) {
  std::size_t end = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - begin;
  };
  std::size_t mantissa = digits();
  if (end < text.size() && text[end] == '.') {
    ++end;
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t before = end++;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    if (digits() == 0) end = before;
  }
  const std::size_t sign = text[0] == '+' ? 1 : 0;
  const auto [last, problem] = std::from_chars(text.data() + sign, text.data() + end, value);
  if (problem != std::errc() || last != text.data() + end) return false;
  text.remove_prefix(end);
  return std::isfinite(value);
}

bool is_length(Text text) {
  double value = 0;
  if (!take_number(text, value)) return false;
  constexpr std::array<Text, 5> units = {"", "px", "pt", "em", "%"};
  return std::ranges::find(units, text) != units.end();
}

bool is_lengths(Text text) {
  const auto words = words_of(text);
  return !words.empty() && std::ranges::all_of(words, [](Text word) {
    while (!word.empty()) {
      const std::size_t comma = std::min(word.find(','), word.size());
      if (!is_length(word.substr(0, comma))) return false;
      word.remove_prefix(std::min(comma + 1, word.size()));
    }
    return true;
  });
}

bool is_points(Text text) {
  const std::size_t count = numbers_of(text).size();
  return count > 0 && count % 2 == 0;
}

/// The number of values that a path's command takes; -1: there is no such command.
int values_of_command(char command) {
  switch (command | 0x20) {
    case 'm':
    case 'l':
    case 't':
      return 2;
    case 'h':
    case 'v':
      return 1;
    case 'c':
      return 6;
    case 's':
    case 'q':
      return 4;
    case 'a':
      return 7;
    case 'z':
      return 0;
    default:
      return -1;
  }
}

/// One value of a path. An arc's fourth and fifth are flags, which nothing need separate.
bool take_path_value(Text& text, char command, int place) {
  const bool flag = (command | 0x20) == 'a' && (place == 3 || place == 4);
  double value = 0;
  if (!flag) return take_number(text, value);
  if (text.empty() || (text.front() != '0' && text.front() != '1')) return false;
  text.remove_prefix(1);
  return true;
}

bool is_path(Text text) {
  skip_spaces(text);
  if (text.empty() || (text.front() | 0x20) != 'm') return false;
  while (!text.empty()) {
    const char command = text.front();
    const int count = is_letter(command) ? values_of_command(command) : -1;
    if (count < 0) return false;
    text.remove_prefix(1);
    skip_spaces(text);
    bool first = true;
    while (count > 0 && (first || (!text.empty() && !is_letter(text.front())))) {
      for (int place = 0; place < count; ++place) {
        if (!take_path_value(text, command, place)) return false;
        skip_separator(text);
      }
      first = false;
    }
  }
  return true;
}

/// The inside of the brackets of NAME(…) at the front, with `text` behind them; else "(".
Text take_brackets(Text& text) {
  const std::size_t close = text.find(')');
  if (text.empty() || text.front() != '(' || close == Text::npos) return "(";
  const Text inside = text.substr(1, close - 1);
  text.remove_prefix(close + 1);
  return inside;
}

Text take_letters(Text& text) {
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  const Text letters = text.substr(0, end);
  text.remove_prefix(end);
  return letters;
}

bool is_transform(Text text) {
  const std::map<Text, std::vector<std::size_t>> counts = {{"translate", {1, 2}}, {"scale", {1, 2}},
                                                           {"rotate", {1, 3}},    {"skewX", {1}},
                                                           {"skewY", {1}},        {"matrix", {6}}};
  skip_spaces(text);
  if (text.empty()) return false;
  while (!text.empty()) {
    const auto allowed = counts.find(take_letters(text));
    skip_spaces(text);
    const std::size_t given = numbers_of(take_brackets(text)).size();
    if (allowed == counts.end() ||
        std::ranges::find(allowed->second, given) == allowed->second.end())
      return false;
    skip_separator(text);
  }
  return true;
}

bool is_hexadecimal_colour(Text text) {
  const std::size_t digits = text.size() - 1;
  return (digits == 3 || digits == 4 || digits == 6 || digits == 8) &&
         std::ranges::all_of(text.substr(1), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

bool is_colour(Text text) {
  if (text.starts_with('#')) return is_hexadecimal_colour(text);
  const Text name = take_letters(text);
  if (text.empty()) return !name.empty();
  constexpr std::array<Text, 4> functions = {"rgb", "rgba", "hsl", "hsla"};
  if (std::ranges::find(functions, name) == functions.end()) return false;
  std::string inside(take_brackets(text));
  std::ranges::replace(inside, '%', ' ');
  const std::size_t count = numbers_of(inside).size();
  return text.empty() && (count == 3 || count == 4);
}

bool is_word(Text text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || c == '-'; });
}

bool is_number(Text text) { return numbers_of(text).size() == 1; }

struct Kind {
  bool (*accepts)(Text);
  const char* expected;
  bool style = false;
};

const std::map<Text, Kind>& kinds() {
  constexpr const char* length_words = "a number, with px, pt, em or % behind it or nothing";
  constexpr const char* colour_words =
      "a colour: its name, #rrggbb, rgb(), hsl(), none or currentColor";
  static const std::map<Text, Kind> all = [&] {
    std::map<Text, Kind> made;
    for (const Text name : {"x", "y", "dx", "dy"})
      made[name] = {is_lengths, "numbers, with px, pt, em or % behind them or nothing"};
    for (const Text name : {"width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2"})
      made[name] = {is_length, length_words};
    made["points"] = {is_points, "pairs of numbers"};
    made["d"] = {is_path, "a path: commands such as M and L, each with its numbers"};
    made["transform"] = {is_transform,
                         "translate(), scale(), rotate(), skewX(), skewY() or "
                         "matrix() of numbers"};
    for (const Text name : {"fill", "stroke"}) made[name] = {is_colour, colour_words, true};
    for (const Text name : {"stroke-width", "stroke-dashoffset", "font-size"})
      made[name] = {is_length, length_words, true};
    made["stroke-dasharray"] = {[](Text text) { return text == "none" || is_lengths(text); },
                                "none or numbers", true};
    for (const Text name : {"opacity", "fill-opacity", "stroke-opacity", "stroke-miterlimit"})
      made[name] = {is_number, "a number", true};
    made["font-weight"] = {[](Text text) { return is_word(text) || is_number(text); },
                           "a word or a number", true};
    for (const Text name : {"stroke-linecap", "stroke-linejoin", "fill-rule", "font-style",
                            "text-anchor", "dominant-baseline"})
      made[name] = {is_word, "a word", true};
    return made;
  }();
  return all;
}

}  // namespace

std::vector<Text> words_of(Text text) {
  std::vector<Text> words;
  for (skip_spaces(text); !text.empty(); skip_spaces(text)) {
    std::size_t end = 0;
    while (end < text.size() && !is_space(text[end])) ++end;
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::vector<double> numbers_of(Text text) {
  std::vector<double> numbers;
  for (skip_spaces(text); !text.empty(); skip_separator(text))
    if (!take_number(text, numbers.emplace_back())) return {};
  return numbers;
}

bool is_attribute(Text name) { return kinds().contains(name); }

bool is_style(Text name) {
  const auto found = kinds().find(name);
  return found != kinds().end() && found->second.style;
}

std::string expected(Text name, Text value) {
  const Kind& kind = kinds().at(name);
  return kind.accepts(value) ? "" : kind.expected;
}

std::string unknown_class(Text classes) {
  constexpr std::array<Text, 22> known = {
      "label", "start", "middle", "end",   "strong",    "grid", "axis", "line",
      "dot",   "error", "region", "frame", "reference", "s0",   "s1",   "s2",
      "s3",    "s4",    "s5",     "s6",    "d1",        "d2"};
  for (const Text word : words_of(classes))
    if (std::ranges::find(known, word) == known.end()) return std::string(word);
  return "";
}

}  // namespace semblance::svg
