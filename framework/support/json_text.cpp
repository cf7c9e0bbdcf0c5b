// SPDX-License-Identifier: MIT
#include "support/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"

namespace semblance {
namespace {

struct Extent {
  std::size_t depth = 0;  ///< the deepest nesting of brackets outside of strings
  std::size_t keys = 0;   ///< of the object with the most keys, within the accepted nesting
};

Extent extent_of(std::string_view text) {
  Extent found;
  std::array<std::size_t, deepest_json + 1> keys = {};
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      i += c == '\\';
    } else if (c == '[' || c == '{') {
      found.depth = std::max(found.depth, ++depth);
      if (depth < keys.size()) keys[depth] = 0;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == ':' && depth < keys.size()) {
      found.keys = std::max(found.keys, ++keys[depth]);
    }
  }
  return found;
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  const Extent extent = extent_of(text);
  if (extent.depth > deepest_json)
    throw Json::other_error::create(501,
                                    "nested " + std::to_string(extent.depth) +
                                        " levels deep, but the limit is " +
                                        std::to_string(deepest_json),
                                    nullptr);
  if (extent.keys > most_json_keys)
    throw Json::other_error::create(501,
                                    "an object with " + std::to_string(extent.keys) +
                                        " keys, but the limit is " + std::to_string(most_json_keys),
                                    nullptr);
  return Json::parse(text);
}

std::string json_problem(const std::exception& problem) {
  const auto* const json = dynamic_cast<const nlohmann::json::exception*>(&problem);
  if (!json) return problem.what();
  // "[json.exception.parse_error.101] parse error at line 2, column 7: ..."
  std::string text = json->what();
  if (const auto end = text.find("] "); end != text.npos) text.erase(0, end + 2);
  constexpr int no_key = 403, of_type = 302;
  switch (json->id == no_key || json->id == of_type ? 5 : json->id / 100) {
    case 1:
      break;
    case 4:
      return "a number is out of range";
    case 5:
      return one_line(text);
    default:
      return "an entry has the wrong type";
  }
  const auto begin = text.find("line "), end = text.find(':');
  if (begin == text.npos || end == text.npos || begin > end) return "not JSON";
  std::string place = text.substr(begin, end - begin);
  constexpr std::string_view first = "line 1, ";
  if (place.starts_with(first)) place.erase(0, first.size());
  // As Python's json.dumps writes them: the parser stops at their first letter.
  const bool no_number = text.ends_with("N'") || text.ends_with("I'");
  return "not JSON from " + place + " on" + (no_number ? "; write null for NaN and Infinity" : "");
}

nlohmann::ordered_json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return std::string(std::signbit(value) ? "-" : "") + (std::isnan(value) ? "nan" : "inf");
}

double number_from_json(const nlohmann::ordered_json& stored) {
  if (stored.is_number()) return stored.get<double>();
  const auto& text = stored.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "-nan") return -std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error("'" + text + "' is not a number");
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
