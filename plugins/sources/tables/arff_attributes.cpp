// SPDX-License-Identifier: MIT
#include "tables/arff_attributes.hpp"

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

class ArffAttributesReader {
 public:
  ArffAttributesReader(LineReader& lines, Context& context) : lines_(lines), context_(context) {}

  std::vector<ArffAttribute> read() {
    std::string_view line;
    while (lines_.next(line)) {
      context_.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('%')) continue;
      if (!take_line(line)) continue;
      if (inside_) fail("the relational attribute is not ended before @data; add its '@end' line");
      return std::move(attributes_);
    }
    throw DataError(lines_.path(), "",
                    "has no line @data; the file is cut off or is no .arff file, check it");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  std::string word(std::string_view& rest, std::string_view ends) const {
    std::string text;
    if (!take_arff_word(rest, ends, text)) fail("a quote is not closed; correct it");
    return text;
  }

  /// Returns whether it is @data.
  bool take_line(std::string_view line) {
    if (!line.starts_with('@'))
      fail("holds data before the line @data; an .arff file begins with its attributes");
    std::string_view rest = line;
    const std::string name = lower_case(word(rest, ""));
    if (name == "@data") return true;
    if (name == "@relation") return false;
    if (name == "@end") {
      if (!inside_) fail("ends a relational attribute that was not begun; remove the line");
      inside_ = false;
    } else if (name == "@attribute") {
      take_attribute(rest);
    } else {
      fail(in_quotes(name) + " is not known in .arff; expected @attribute, @end or @data");
    }
    return false;
  }

  void take_attribute(std::string_view rest) {
    ArffAttribute attribute;
    rest = trimmed(rest);
    attribute.name = word(rest, "{");
    attribute.line = lines_.number();
    attribute.inside = inside_;
    rest = trimmed(rest);
    if (rest.starts_with('{')) {
      take_values(rest, attribute);
    } else {
      attribute.type = lower_case(word(rest, ""));
      if (attribute.type.empty())
        fail("the attribute " + in_quotes(attribute.name) +
             " has no type; write numeric, or its values as in {a, b}");
    }
    inside_ = inside_ || attribute.relational();
    attributes_.push_back(std::move(attribute));
  }

  void take_values(std::string_view rest, ArffAttribute& attribute) const {
    rest.remove_prefix(1);
    for (;;) {
      rest = trimmed(rest);
      if (rest.empty())
        fail("the classes of " + in_quotes(attribute.name) + " are not closed by '}'; add it");
      if (rest.starts_with('}')) break;
      attribute.values.push_back(word(rest, ",}"));
      if (!is_utf8(attribute.values.back()))
        fail("a class is not UTF-8 text; save the file as UTF-8");
      rest = trimmed(rest);
      if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    if (attribute.values.empty())
      fail("the attribute " + in_quotes(attribute.name) + " names no classes; add them");
  }

  LineReader& lines_;
  Context& context_;
  std::vector<ArffAttribute> attributes_;
  bool inside_ = false;  ///< of a relational attribute
};

}  // namespace

std::vector<ArffAttribute> read_arff_attributes(LineReader& lines, Context& context) {
  return ArffAttributesReader(lines, context).read();
}

bool take_arff_word(std::string_view& text, std::string_view ends, std::string& word) {
  word.clear();
  text = trimmed(text);
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '\t' &&
           ends.find(text[end]) == ends.npos)
      ++end;
    word = text.substr(0, end);
    text.remove_prefix(end);
    return true;
  }
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      word += text[++at];
    } else if (text[at] == text[0]) {
      text.remove_prefix(at + 1);
      return true;
    } else {
      word += text[at];
    }
  }
  return false;
}

}  // namespace semblance::sources
