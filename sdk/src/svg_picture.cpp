// SPDX-License-Identifier: MIT
// A reader of the small part of XML that pictures need, and a writer of what it read. Nothing of
// the text is copied unread: an HTML parser, which has other rules, sees plain tags with quoted
// attributes only.
#include "svg_picture.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/report.hpp"
#include "svg_values.hpp"

namespace semblance::svg {
namespace {

using Text = std::string_view;

constexpr std::size_t most_depth = 32;
constexpr std::size_t most_attributes = 64;  // of an element
constexpr Text name_space = "http://www.w3.org/2000/svg";
constexpr std::array<Text, 13> elements = {"svg",     "g",     "path",     "rect",    "circle",
                                           "ellipse", "line",  "polyline", "polygon", "text",
                                           "tspan",   "title", "desc"};

bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':' || c == '.';
}

bool is_described(Text element) { return element == "title" || element == "desc"; }

/// Whether an element may contain text other than spaces.
bool has_text(Text element) {
  return element == "text" || element == "tspan" || is_described(element);
}

bool may_contain(Text outer, Text inner) {
  if (is_described(outer) || inner == "svg") return false;
  if (is_described(inner)) return true;
  if (outer == "text" || outer == "tspan") return inner == "tspan";
  return (outer == "svg" || outer == "g") && inner != "tspan";
}

std::string listed(const auto& names) {
  std::string text;
  for (const Text name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

/// For messages: short, and in whole UTF-8 symbols.
std::string in_quotes(Text text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return "'" + std::string(text) + "'";
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return "'" + std::string(text.substr(0, end)) + "…'";
}

std::string escaped(Text text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

/// Bytes of the UTF-8 symbol at the front, 0 where there is none.
std::size_t symbol_length(Text text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong encodings, surrogates, and code points above U+10FFFF.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) >= 0xA0) ||
      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) >= 0x90))
    return 0;
  return length;
}

bool is_text_symbol(std::uint32_t symbol) {
  return (symbol >= 0x20 || symbol == '\t' || symbol == '\n' || symbol == '\r') &&
         !(symbol >= 0x7F && symbol < 0xA0) && !(symbol >= 0xD800 && symbol < 0xE000) &&
         symbol < 0x110000;
}

struct Attribute {
  std::string name;
  std::string value;
  std::size_t place = 0;
};

class Reader {
 public:
  explicit Reader(Text text) : text_(text) {}

  std::string read() {
    check_bytes();
    if (starts("<?xml ")) skip_past("?>", "the XML declaration");
    skip_between();
    if (!starts("<")) fail(at_, "it does not begin with <svg>");
    element("", 0);
    skip_between();
    if (at_ < text_.size()) fail(at_, "there is more after </svg>");
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::size_t place, const std::string& what) const {
    const Text before = text_.substr(0, place);
    const std::size_t line_start = before.rfind('\n') == Text::npos ? 0 : before.rfind('\n') + 1;
    throw Error("line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
                std::to_string(place - line_start + 1) + ": " + what);
  }

  void check_bytes() const {
    if (text_.size() > SvgPicture::most_bytes)
      throw Error("it has " + std::to_string(text_.size()) + " bytes; at most " +
                  std::to_string(SvgPicture::most_bytes) + " are allowed");
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t length = symbol_length(text_.substr(i));
      const bool c1_control =
          length == 2 && text_[i] == '\xC2' && static_cast<unsigned char>(text_[i + 1]) < 0xA0;
      if (length == 0) fail(i, "the bytes are not UTF-8");
      if (c1_control || (length == 1 && !is_text_symbol(static_cast<unsigned char>(text_[i]))))
        fail(i, "there is a control character");
      i += length;
    }
  }

  bool starts(Text part) const { return text_.substr(at_).starts_with(part); }

  void skip_past(Text end, const std::string& what) {
    const std::size_t found = text_.find(end, at_);
    if (found == Text::npos) fail(at_, what + " does not end");
    at_ = found + end.size();
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  /// Spaces and comments.
  void skip_between() {
    for (;;) {
      skip_spaces();
      if (!starts("<!--")) return;
      comment();
    }
  }

  void comment() {
    const std::size_t begin = at_;
    at_ += 4;
    skip_past("-->", "the comment");
    // XML forbids these, and an HTML parser ends such a comment elsewhere.
    const Text inside = text_.substr(begin + 4, at_ - begin - 7);
    if (inside.find("--") != Text::npos || inside.starts_with('>') || inside.ends_with('-'))
      fail(begin, "a comment must not contain --");
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// &NAME; or &#NUMBER; at the place.
  std::string entity() {
    const std::size_t begin = at_++, end = text_.find(';', at_);
    const Text inside = text_.substr(at_, std::min(end, text_.size()) - at_);
    if (end == Text::npos || inside.size() > 10) fail(begin, "an & must be written as &amp;");
    at_ = end + 1;
    constexpr std::array<std::pair<Text, Text>, 5> known = {
        {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}}};
    for (const auto& [word, symbol] : known)
      if (inside == word) return std::string(symbol);
    const bool hexadecimal = inside.starts_with("#x");
    const Text digits = inside.substr(std::min<std::size_t>(hexadecimal ? 2 : 1, inside.size()));
    std::uint32_t symbol = 0;
    const auto [last, problem] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                 symbol, hexadecimal ? 16 : 10);
    if (!inside.starts_with('#') || digits.empty() || problem != std::errc() ||
        last != digits.data() + digits.size() || !is_text_symbol(symbol))
      fail(begin, "the entity '&" + std::string(inside) + ";' is not allowed");
    return utf8(symbol);
  }

  std::string attribute_value() {
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '"' && quote != '\'') fail(at_, "the value of an attribute must be in quotes");
    ++at_;
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '<') fail(at_, "there is a < in the value of an attribute");
      if (text_[at_] == '&')
        value += entity();
      else
        value += text_[at_++];
    }
    if (at_ == text_.size()) fail(at_, "the value of an attribute does not end");
    ++at_;
    return value;
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> all;
    for (;;) {
      const std::size_t before = at_;
      skip_spaces();
      if (at_ == text_.size()) fail(at_, "a tag does not end");
      if (text_[at_] == '>' || starts("/>")) return all;
      const std::size_t place = at_;
      std::string given = name();
      if (given.empty() || before == place) fail(place, "an attribute is expected here");
      skip_spaces();
      if (!starts("=")) fail(at_, "the attribute " + in_quotes(given) + " has no value");
      ++at_;
      skip_spaces();
      if (std::ranges::find(all, given, &Attribute::name) != all.end())
        fail(place, "the attribute " + in_quotes(given) + " is there twice");
      if (all.size() == most_attributes)
        fail(place, "an element has more than " + std::to_string(most_attributes) + " attributes");
      all.push_back({std::move(given), attribute_value(), place});
    }
  }

  /// A declaration of a `style`, or an attribute of paint or text.
  void add_style(std::map<std::string, std::string>& styles, const std::string& given,
                 const std::string& value, std::size_t place) const {
    const std::string wanted = expected(given, value);
    if (!wanted.empty())
      fail(place, "the value " + in_quotes(value) + " of '" + given + "' is not " + wanted);
    // In CSS a size needs a unit.
    const bool plain = given == "font-size" && numbers_of(value).size() == 1;
    styles[given] = plain ? value + "px" : value;
  }

  static std::string trimmed(Text text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return std::string(text);
  }

  void add_declarations(std::map<std::string, std::string>& styles, const Attribute& style) const {
    Text rest = style.value;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const Text one = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (trimmed(one).empty()) continue;
      const std::size_t colon = std::min(one.find(':'), one.size());
      const std::string property = trimmed(one.substr(0, colon));
      if (!is_style(property) || colon == one.size())
        fail(style.place, "the style " + in_quotes(trimmed(one)) + " is not allowed");
      add_style(styles, property, trimmed(one.substr(colon + 1)), style.place);
    }
  }

  /// Writes the attributes that are allowed and fails at another.
  void write_attributes(const std::vector<Attribute>& given, bool root) {
    std::map<std::string, std::string> styles;
    std::string classes;
    for (const Attribute& a : given) {
      if (a.name == "style" || (root && (a.name == "xmlns" || a.name == "viewBox"))) continue;
      if (root && a.name == "version" && numbers_of(a.value).size() == 1) continue;
      if (a.name == "class" && !root) {
        const std::string unknown = unknown_class(a.value);
        if (!unknown.empty())
          fail(a.place, "the class " + in_quotes(unknown) + " is not one that pages offer");
        for (const Text word : words_of(a.value))
          classes += (classes.empty() ? "" : " ") + std::string(word);
      } else if (!is_attribute(a.name)) {
        fail(a.place, "the attribute " + in_quotes(a.name) + " is not allowed");
      } else if (is_style(a.name)) {
        add_style(styles, a.name, trimmed(a.value), a.place);
      } else {
        write_plain(a);
      }
    }
    for (const Attribute& a : given)
      if (a.name == "style") add_declarations(styles, a);
    if (!classes.empty()) out_ += " class=\"" + classes + "\"";
    if (styles.empty()) return;
    out_ += " style=\"";
    for (const auto& [property, value] : styles) out_ += property + ":" + value + ";";
    out_ += '"';
  }

  void write_plain(const Attribute& a) {
    const std::string wanted = expected(a.name, a.value);
    if (!wanted.empty())
      fail(a.place, "the value " + in_quotes(a.value) + " of '" + a.name + "' is not " + wanted);
    out_ += " " + a.name + "=\"" + escaped(a.value) + "\"";
  }

  /// xmlns, viewBox and sizes: a picture without a viewBox could not be scaled to the page.
  void write_root(const std::vector<Attribute>& given, std::size_t place) {
    const auto find = [&](Text wanted) {
      return std::ranges::find(given, wanted, &Attribute::name);
    };
    if (const auto xmlns = find("xmlns"); xmlns != given.end() && xmlns->value != name_space)
      fail(xmlns->place, "xmlns must be " + std::string(name_space));
    const auto box = find("viewBox");
    if (box == given.end()) fail(place, "the svg has no viewBox");
    const std::vector<double> numbers = numbers_of(box->value);
    if (numbers.size() != 4 || !(numbers[2] > 0) || !(numbers[3] > 0))
      fail(box->place, "the viewBox must be four numbers: x, y, width and height, both above 0");
    out_ += " xmlns=\"" + std::string(name_space) + "\" viewBox=\"" + box->value + "\"";
    const auto shown = [](double value) {
      std::array<char, 32> digits{};
      return std::string(digits.data(),
                         std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    };
    for (const auto& [name, size] : {std::pair{"width", numbers[2]}, {"height", numbers[3]}})
      if (find(name) == given.end()) out_ += " " + std::string(name) + "=\"" + shown(size) + "\"";
  }

  void element(Text outer, std::size_t depth) {
    const std::size_t place = at_++;
    const std::string tag = name();
    check_element(tag, outer, place, depth);
    const std::vector<Attribute> given = attributes();
    out_ += "<" + tag;
    if (depth == 0) write_root(given, place);
    write_attributes(given, depth == 0);
    if (starts("/>")) {
      at_ += 2;
      out_ += "/>";
      return;
    }
    ++at_;
    out_ += '>';
    content(tag, place, depth);
    out_ += "</" + tag + ">";
  }

  void check_element(const std::string& tag, Text outer, std::size_t place,
                     std::size_t depth) const {
    const Text rest = text_.substr(place);
    if (rest.starts_with("<!DOCTYPE") || rest.starts_with("<!doctype"))
      fail(place, "a doctype is not allowed");
    if (rest.starts_with("<!") || rest.starts_with("<?"))
      fail(place, in_quotes(rest.substr(0, std::min(rest.find_first_of(" \n>"), rest.size()))) +
                      " is not allowed");
    if (tag.empty()) fail(place, "a < in a text must be written as &lt;");
    if (std::ranges::find(elements, tag) == elements.end())
      fail(place,
           "the element " + in_quotes(tag) + " is not allowed; these are: " + listed(elements));
    if (depth == 0 && tag != "svg") fail(place, "it does not begin with <svg>");
    if (depth > 0 && !may_contain(outer, tag))
      fail(place, "the element '" + tag + "' must not be in '" + std::string(outer) + "'");
    if (depth >= most_depth)
      fail(place, "elements are more than " + std::to_string(most_depth) + " deep");
  }

  void content(const std::string& tag, std::size_t place, std::size_t depth) {
    while (at_ < text_.size()) {
      if (starts("</")) return close(tag);
      if (starts("<!--"))
        comment();
      else if (starts("<"))
        element(tag, depth + 1);
      else
        text(tag);
    }
    fail(place, "the element '" + tag + "' does not end");
  }

  void text(const std::string& tag) {
    const std::size_t place = at_;
    const std::string symbols = text_[at_] == '&' ? entity() : std::string(1, text_[at_++]);
    if (has_text(tag))
      out_ += escaped(symbols);
    else if (!is_space(symbols.front()))
      fail(place, "there is text in '" + tag + "', which shows none");
  }

  void close(const std::string& tag) {
    const std::size_t place = at_;
    at_ += 2;
    const std::string closed = name();
    skip_spaces();
    if (closed != tag || !starts(">")) fail(place, "</" + tag + "> is expected here");
    ++at_;
  }

  Text text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string cleaned(std::string_view picture) { return Reader(picture).read(); }

}  // namespace semblance::svg
