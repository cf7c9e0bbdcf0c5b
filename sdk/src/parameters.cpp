// SPDX-License-Identifier: MIT
#include "semblance/parameters.hpp"

#include <charconv>
#include <cmath>

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
  return "'" + info.name + "' must be one of " + list_text(info.choices) + ", got '" + text + "'";
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
  };
  return std::visit(Visitor{}, value);
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
  return std::nullopt;
}

}  // namespace semblance
