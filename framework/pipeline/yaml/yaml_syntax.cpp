// SPDX-License-Identifier: MIT
#include "pipeline/yaml/yaml_syntax.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>

namespace semblance {
namespace {

using namespace std::string_view_literals;

struct Wording {
  std::string_view original;  ///< yaml-cpp's text starts with it
  std::string_view message;
  std::string_view help;
};

constexpr std::array wordings = {
    Wording{"illegal map value", "unexpected ':'",
            "put a value that contains ': ' in quotes; check the indentation of this line and the "
            "one before"},
    Wording{"illegal map key", "unexpected key", "check the indentation"},
    Wording{"illegal block entry", "a '-' list cannot start here",
            "start it on a line of its own, or write [a, b]"},
    Wording{"illegal flow end", "this bracket closes nothing", ""},
    Wording{"unknown token", "a plain value cannot start with this character",
            "put the value in quotes"},
    Wording{"end of map not found", "this does not belong to the mapping before it",
            "check the indentation: keys of the same mapping start in the same column"},
    Wording{"end of sequence not found", "this does not belong to the list before it",
            "check the indentation: entries of the same list start in the same column"},
    Wording{"illegal tab", "tab in the indentation", "indent with spaces"},
    Wording{"unknown escape character", "unknown escape sequence in double quotes",
            "write \\\\ for a backslash, or use single quotes"},
    Wording{"the referenced anchor", "aliases (*name) are not supported in pipelines",
            "write out the value; put text that starts with '*' in quotes"},
    Wording{"alias not found", "aliases (*name) are not supported in pipelines",
            "put text that starts with '*' in quotes"},
    Wording{"anchor not found", "anchors (&name) are not supported in pipelines",
            "put text that starts with '&' in quotes"},
};

/// A bracket that yaml-cpp expected to be closed. At the end of the text the opening bracket is at
/// fault, elsewhere the token that came instead of a comma.
void report_bracket(std::size_t offset, bool list, const TreeBuilder& builder,
                    const SourceText& source, Problems& problems) {
  const char bracket = list ? '[' : '{';
  const std::string closing = list ? "']'" : "'}'";
  const auto& open = builder.open();
  const auto opener = std::find_if(open.rbegin(), open.rend(), [&](const TreeBuilder::Open& o) {
    return o.offset < source.text().size() && source.text()[o.offset] == bracket;
  });
  const std::string_view rest =
      std::string_view(source.text()).substr(std::min(offset, source.text().size()));
  const bool at_end = rest.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (opener == open.rend()) {
    problems.error(source.place(offset), "expected " + closing);
  } else if (const auto quote = find_open_quote(source.text(), opener->offset); at_end && quote) {
    problems.error(source.place(*quote), unclosed_quote);
  } else if (at_end) {
    problems.error(opener->node.place,
                   std::string("this '") + bracket + "' is never closed with " + closing);
  } else {
    problems.error(source.place(offset), "expected ',' or " + closing + " here",
                   std::string("the '") + bracket + "' was opened on line " +
                       std::to_string(opener->node.place.position.line));
  }
}

/// The length of the UTF-8 sequence at the start of `text`; 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
  const bool too_large = byte(0) == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string hex(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

bool check_characters(const SourceText& source, Problems& problems) {
  const std::string_view text = source.text();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      problems.error(source.place(i),
                     "not UTF-8 text: byte " + hex(text[i]) + " is not allowed here",
                     "save the file as UTF-8");
      return false;
    }
    const char c = text[i];
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
        c == 0x7F) {
      problems.error(source.place(i), "control character " + hex(c) + " is not text",
                     "is this really a pipeline? remove the character");
      return false;
    }
    i += length;
  }
  return true;
}

bool check_tabs(const SourceText& source, Problems& problems) {
  const std::string& text = source.text();
  bool clean = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t content = std::min(text.find_first_not_of(" \t", start), text.size());
    const std::size_t tab = std::string_view(text).substr(0, content).find('\t', start);
    if (tab < content) {
      problems.error(source.place(tab), "tab in the indentation", "indent with spaces");
      clean = false;
    }
    const std::size_t end = text.find('\n', content);
    if (end == std::string::npos) break;
    start = end + 1;
  }
  return clean;
}

}  // namespace

std::size_t find_closing_quote(std::string_view text, std::size_t start) {
  const char quote = text[start];
  std::size_t i = start + 1;
  while (i < text.size() && text[i] != quote) i += quote == '"' && text[i] == '\\' ? 2 : 1;
  return i < text.size() ? i : std::string_view::npos;
}

std::optional<std::size_t> find_open_quote(std::string_view text, std::size_t start) {
  for (std::size_t i = start; i < text.size(); ++i) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (text[i] == '#' && (before == ' ' || before == '\n')) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    const bool quote = text[i] == '\'' || text[i] == '"';
    if (!quote || " \t\n[{,:"sv.find(before) == std::string_view::npos) continue;
    const std::size_t end = find_closing_quote(text, i);
    if (end == std::string_view::npos) return i;
    i = end;
  }
  return std::nullopt;
}

void report_syntax_error(const YAML::Exception& error, const TreeBuilder& builder,
                         const SourceText& source, Problems& problems) {
  const auto offset = static_cast<std::size_t>(std::max(error.mark.pos, 0));
  const std::string& text = source.text();
  if (offset > 0 && offset < text.size() && (text[offset - 1] == '\'' || text[offset - 1] == '"')) {
    problems.error(source.place(offset), "this text follows a closing quote",
                   "inside single quotes write '' for a quote, inside double quotes \\\"");
    return;
  }
  if (error.msg == "end of map flow not found" || error.msg == "end of sequence flow not found") {
    report_bracket(offset, error.msg.find("sequence") != std::string::npos, builder, source,
                   problems);
    return;
  }
  if (error.msg.starts_with("illegal EOF in scalar")) {
    const auto quote = find_open_quote(text, builder.reached());
    problems.error(source.place(quote.value_or(offset)), unclosed_quote);
    return;
  }
  for (const Wording& wording : wordings) {
    if (!error.msg.starts_with(wording.original)) continue;
    problems.error(source.place(offset), std::string(wording.message), std::string(wording.help));
    return;
  }
  problems.error(source.place(offset), "not valid YAML: " + error.msg);
}

bool check_text(const SourceText& source, Problems& problems) {
  if (source.text().size() > largest_pipeline) {
    problems.error(source.whole(),
                   "too large for a pipeline: " + std::to_string(source.text().size()) +
                       " bytes, the limit is " + std::to_string(largest_pipeline));
    return false;
  }
  return check_characters(source, problems) && check_tabs(source, problems);
}

}  // namespace semblance
