// SPDX-License-Identifier: MIT
#include "series/ts_header.hpp"

#include <algorithm>

#include "semblance/error.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
namespace {

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> all;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return all;
}

class TsHeaderReader {
 public:
  TsHeaderReader(LineReader& lines, Context& context) : lines_(lines), context_(context) {}

  TsHeader read() {
    std::string_view line;
    while (lines_.next(line)) {
      context_.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('#') || line.starts_with('%')) continue;
      if (!line.starts_with('@'))
        fail(
            "holds data before the tag @data; a .ts file begins with its tags, such as "
            "'@classLabel true a b' and '@data'");
      if (take_tag(words(line))) return header_;
    }
    throw DataError(lines_.path(), "",
                    "has no tag @data; the file is cut off or is no .ts file, check it");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  bool truth(const std::vector<std::string_view>& tag) const {
    const std::string value = tag.size() > 1 ? lower_case(tag[1]) : std::string();
    if (value != "true" && value != "false")
      fail("the tag " + in_quotes(tag[0]) + " must say true or false; correct it");
    return value == "true";
  }

  std::size_t number(const std::vector<std::string_view>& tag) const {
    const auto value = tag.size() == 2 ? parse_integer(tag[1]) : std::nullopt;
    if (!value || *value < 1)
      fail("the tag " + in_quotes(tag[0]) + " must give a whole number from 1 on; correct it");
    return static_cast<std::size_t>(*value);
  }

  void take_classes(const std::vector<std::string_view>& tag) {
    header_.labelled = truth(tag);
    if (!header_.labelled) return;
    for (std::size_t i = 2; i < tag.size(); ++i) {
      if (!is_utf8(tag[i])) fail("a class is not UTF-8 text; save the file as UTF-8");
      header_.classes.emplace_back(tag[i]);
    }
    if (header_.classes.empty())
      fail("the tag @classLabel names no classes; write '@classLabel true' and all of them");
  }

  /// Returns whether it is the last one.
  bool take_tag(const std::vector<std::string_view>& tag) {
    const std::string name = lower_case(tag[0]);
    if (name == "@data") return true;
    if (name == "@timestamps") {
      if (truth(tag))
        fail(
            "the series have time stamps, which are not supported; resample them to equal steps "
            "and say '@timeStamps false'");
    } else if (name == "@univariate") {
      header_.univariate = truth(tag);
    } else if (name == "@dimension" || name == "@dimensions") {
      header_.channels = number(tag);
    } else if (name == "@equallength") {
      header_.equal_length = truth(tag);
    } else if (name == "@serieslength") {
      header_.length = number(tag);
    } else if (name == "@classlabel") {
      take_classes(tag);
    } else if (name == "@targetlabel") {
      if (truth(tag))
        fail(
            "the series have numbers as targets (@targetLabel), but only classes are supported; "
            "use a file with @classLabel");
    } else if (name != "@problemname" && name != "@missing") {
      context_.log(LogLevel::warning, lines_.path() + ": " + lines_.place() + ": the tag " +
                                          in_quotes(tag[0]) + " is not known and ignored");
    }
    return false;
  }

  LineReader& lines_;
  Context& context_;
  TsHeader header_;
};

}  // namespace

TsHeader read_ts_header(LineReader& lines, Context& context) {
  return TsHeaderReader(lines, context).read();
}

}  // namespace semblance::sources
