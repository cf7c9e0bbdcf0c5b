// SPDX-License-Identifier: MIT
#include "series/arff_header.hpp"

#include "semblance/error.hpp"
#include "text/text_values.hpp"

namespace semblance {
namespace {

class ArffHeaderReader {
 public:
  ArffHeaderReader(LineReader& lines, Context& context) : lines_(lines), context_(context) {}

  ArffHeader read() {
    std::string_view line;
    while (lines_.next(line)) {
      context_.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('%')) continue;
      if (take_line(line)) return finished();
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
    rest = trimmed(rest);
    const std::string name = word(rest, "{");
    rest = trimmed(rest);
    const bool nominal = rest.starts_with('{');
    const std::string type = nominal ? "" : lower_case(word(rest, ""));
    const bool numeric = type == "numeric" || type == "real" || type == "integer";
    if (!nominal && !numeric && type != "relational")
      fail("the attribute " + in_quotes(name) + " has the type " + in_quotes(type) +
           ", which is not supported; expected numeric, {classes} or relational");
    if (inside_) {
      if (!numeric)
        fail("the attribute " + in_quotes(name) +
             " within the relational one is not numeric; convert the file to .ts, whose series "
             "may be of any form");
      return;
    }
    if (nominal) take_classes(name, rest);
    if (type == "relational") {
      if (header_.relational)
        fail("has a second relational attribute, which is not supported; convert the file to .ts");
      header_.relational = inside_ = true;
      header_.series = header_.fields;
    }
    steps_ += numeric;
    ++header_.fields;
  }

  void take_classes(const std::string& name, std::string_view rest) {
    if (header_.labelled)
      fail("the attribute " + in_quotes(name) +
           " is a second one with classes; keep the one that is the label");
    rest.remove_prefix(1);
    for (;;) {
      rest = trimmed(rest);
      if (rest.empty())
        fail("the classes of " + in_quotes(name) + " are not closed by '}'; add it");
      if (rest.starts_with('}')) break;
      header_.classes.push_back(word(rest, ",}"));
      if (!is_utf8(header_.classes.back()))
        fail("a class is not UTF-8 text; save the file as UTF-8");
      rest = trimmed(rest);
      if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    if (header_.classes.empty())
      fail("the attribute " + in_quotes(name) + " names no classes; add them");
    header_.labelled = true;
    header_.label = header_.fields;
  }

  ArffHeader finished() const {
    if (inside_) fail("the relational attribute is not ended before @data; add its '@end' line");
    if (header_.relational && steps_ > 0)
      fail(
          "has numeric attributes beside the relational one, which is not supported; convert the "
          "file to .ts");
    if (!header_.relational && steps_ == 0)
      fail("has no numeric attributes, so there are no series; check that it is the right file");
    return header_;
  }

  LineReader& lines_;
  Context& context_;
  ArffHeader header_;
  bool inside_ = false;  ///< of a relational attribute
  std::size_t steps_ = 0;
};

}  // namespace

ArffHeader read_arff_header(LineReader& lines, Context& context) {
  return ArffHeaderReader(lines, context).read();
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

}  // namespace semblance
