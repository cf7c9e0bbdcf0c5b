// SPDX-License-Identifier: MIT
#include "support/json_text.hpp"

#include <algorithm>

namespace semblance {
namespace {

/// How deeply brackets outside of texts are nested, at most.
std::size_t nesting(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      quoted = !quoted;
    else if (quoted)
      i += c == '\\';
    else if (c == '[' || c == '{')
      deepest = std::max(deepest, ++depth);
    else if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return deepest;
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  if (const std::size_t depth = nesting(text); depth > deepest_json)
    throw Json::other_error::create(501,
                                    "nested " + std::to_string(depth) +
                                        " levels deep, but the limit is " +
                                        std::to_string(deepest_json) + " are read",
                                    nullptr);
  return Json::parse(text);
}

bool leads_inside(const std::filesystem::path& name) {
  return !name.empty() && name.is_relative() && std::ranges::find(name, "..") == name.end();
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

}  // namespace semblance
