// SPDX-License-Identifier: MIT
#include "semblance/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "semblance/number_or_word.hpp"

namespace semblance {
namespace {

std::string number_text(double x) {
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

std::string element_text(std::int64_t x) { return std::to_string(x); }
std::string element_text(double x) { return number_text(x); }
std::string element_text(const std::string& x) { return x; }

template <class T>
std::string list_text(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& x : list) text += (text.size() > 1 ? ", " : "") + element_text(x);
  return text + "]";
}

/// A scalar as YAML reads it back, with its type: 1.0 is not 1, and the text "1" is neither.
struct ScalarText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(std::int64_t x) const { return std::to_string(x); }
  std::string operator()(double x) const {
    const std::string text = number_text(x);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const std::string& s) const { return yaml_text(s); }
  std::string operator()(const std::vector<Scalar>& list) const {
    std::string text = "[";
    for (const Scalar& x : list) text += (text.size() > 1 ? ", " : "") + std::visit(*this, x);
    return text + "]";
  }
};

std::string mapping_text(const NamedValues& mapping) {
  std::string text = "{";
  for (const auto& [name, value] : mapping)
    text +=
        (text.size() > 1 ? ", " : "") + yaml_text(name) + ": " + std::visit(ScalarText(), value);
  return text + "}";
}

std::optional<std::string> check_range(const ParameterInfo& info, double x) {
  if (std::isnan(x)) return "'" + info.name + "' must be a number, not NaN";
  if (info.interval.contains(x)) return std::nullopt;
  return "'" + info.name + "' must be in the range " + info.interval.text() +
         (info.unit.empty() ? "" : " (" + info.unit + ")") + ", got " + number_text(x);
}

template <class T>
std::optional<std::string> check_list(const ParameterInfo& info, const std::vector<T>& list) {
  for (const T& x : list)
    if (auto problem = check_range(info, static_cast<double>(x))) return problem;
  return std::nullopt;
}

std::optional<std::string> check_choice(const ParameterInfo& info, const std::string& text) {
  if (info.choices.empty()) return std::nullopt;
  for (const auto& choice : info.choices)
    if (choice == text) return std::nullopt;
  return "'" + info.name + "' must be one of " + list_text(info.choices) +
         (is_number_or_word(info) ? " or a number in the range " + info.interval.text() : "") +
         ", got '" + text + "'";
}

bool is_finite(const Scalar& x) {
  const auto* number = std::get_if<double>(&x);
  return !number || std::isfinite(*number);
}

/// Neither YAML nor the keys of the store can express infinities and NaN.
bool all_finite(const NamedValues::mapped_type& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<Scalar>>(&value);
  return !list || std::ranges::all_of(*list, is_finite);
}

std::optional<std::string> check_mapping(const ParameterInfo& info, const NamedValues& mapping) {
  for (const auto& [name, value] : mapping) {
    if (name.empty()) return "'" + info.name + "' has a value without a name";
    if (!all_finite(value)) return "'" + info.name + "." + name + "' must be finite";
  }
  return std::nullopt;
}

}  // namespace

const char* name(ParameterType type) noexcept {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "integer";
    case ParameterType::number:
      return "number";
    case ParameterType::text:
      return "text";
    case ParameterType::path:
      return "path";
    case ParameterType::integers:
      return "list of integers";
    case ParameterType::numbers:
      return "list of numbers";
    case ParameterType::texts:
      return "list of texts";
    case ParameterType::mapping:
      return "mapping";
    case ParameterType::component:
      return "component";
  }
  return "unknown";
}

std::string to_text(const Value& value) {
  struct Visitor {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t x) const { return std::to_string(x); }
    std::string operator()(double x) const { return number_text(x); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const std::vector<std::int64_t>& l) const { return list_text(l); }
    std::string operator()(const std::vector<double>& l) const { return list_text(l); }
    std::string operator()(const std::vector<std::string>& l) const { return list_text(l); }
    std::string operator()(const NamedValues& m) const { return mapping_text(m); }
  };
  return std::visit(Visitor{}, value);
}

std::string yaml_text(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
  };
  bool plain = !text.empty() && letter(text[0]);
  for (const char c : text)
    plain = plain && (letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-');
  for (const char* word : {"true", "false", "null", "none", "yes", "no", "on", "off", "y", "n",
                           "nan", "inf", "infinity"}) {
    std::string lower;
    for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    plain = plain && lower != word;
  }
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
      quoted += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02X", static_cast<unsigned>(c));
    quoted += escape;
  }
  return quoted + "\"";
}

bool is_number_or_word(const ParameterInfo& info) noexcept {
  return info.type == ParameterType::text && !info.choices.empty() && info.interval.bounded();
}

std::optional<double> number_given(std::string_view text) noexcept {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool Interval::bounded() const noexcept { return std::isfinite(low) || std::isfinite(high); }

std::string Interval::text() const {
  return (low_open || std::isinf(low) ? "(" : "[") + number_text(low) + ", " + number_text(high) +
         (high_open || std::isinf(high) ? ")" : "]");
}

std::optional<std::string> ParameterInfo::check(const Value& value) const {
  if (const auto* x = std::get_if<std::int64_t>(&value))
    return check_range(*this, static_cast<double>(*x));
  if (const auto* x = std::get_if<double>(&value)) return check_range(*this, *x);
  if (const auto* x = std::get_if<std::vector<std::int64_t>>(&value)) return check_list(*this, *x);
  if (const auto* x = std::get_if<std::vector<double>>(&value)) return check_list(*this, *x);
  if (const auto* x = std::get_if<std::string>(&value)) return check_choice(*this, *x);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value))
    for (const auto& x : *list)
      if (auto problem = check_choice(*this, x)) return problem;
  if (const auto* mapping = std::get_if<NamedValues>(&value)) return check_mapping(*this, *mapping);
  return std::nullopt;
}

}  // namespace semblance
