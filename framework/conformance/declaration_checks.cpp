// SPDX-License-Identifier: MIT
// Checks the basis of `describe`, the messages and the editors' schema.
#include <algorithm>
#include <cmath>
#include <set>

#include "conformance/checks.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance::conformance {
namespace {

bool is_lower_case(std::string_view name) {
  if (name.empty() || name.front() == '_' || (name.front() >= '0' && name.front() <= '9'))
    return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

/// Parameters are written as in the paper: C, but not two_Words nor CamelCase.
bool is_parameter_name(std::string_view name) {
  return is_lower_case(name) || (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z');
}

void names(const Subject& subject) {
  const ComponentInfo& info = subject.info();
  require(is_lower_case(info.id.substr(info.kind().size() + 1)),
          "the name in '" + info.id + "' is not lower_case");
  std::set<std::string> seen;
  for (const PortInfo& port : info.inputs) seen.insert(port.name);
  for (const ParameterInfo& p : info.parameters) {
    require(is_parameter_name(p.name), "the parameter '" + p.name + "' is not lower_case");
    require(p.name != "is", "a parameter cannot be called 'is'");
    require(seen.insert(p.name).second,
            "'" + p.name + "' is the name of two parameters, or of a parameter and an input");
  }
}

/// "top_*_accuracy", or TABLE.COLUMN of a table or curve, whose names are free.
bool is_figure_name(std::string name) {
  if (name.find('.') != std::string::npos) return true;
  if (const std::size_t star = name.find('*'); star != std::string::npos)
    name.replace(star, 1, "x");
  return is_lower_case(name);
}

void figures(const Subject& subject) {
  std::set<std::string> seen;
  for (const FigureInfo& figure : subject.info().figures) {
    require(is_figure_name(figure.name), "the figure '" + figure.name + "' is not lower_case");
    require(std::ranges::count(figure.name, '*') < 2,
            "the figure '" + figure.name + "' has more than one '*'");
    require(seen.insert(figure.name).second, "the figure '" + figure.name + "' is declared twice");
    require(!figure.documentation.empty(), "the figure '" + figure.name + "' is not documented");
    require(figure.documentation.find('\n') == std::string::npos,
            "the documentation of the figure '" + figure.name + "' is not one line");
  }
}

void documentation(const Subject& subject) {
  require(!subject.info().summary.empty(), "it has no summary");
  require(subject.info().summary.find('\n') == std::string::npos, "the summary is not one line");
  for (const ParameterInfo& p : subject.info().parameters) {
    require(!p.documentation.empty(), "the parameter '" + p.name + "' is not documented");
    require(p.documentation.find('\n') == std::string::npos,
            "the documentation of '" + p.name + "' is not one line");
  }
}

/// Optional, but without it the component's reference page is poor.
void page_in_the_reference(const Subject& subject) {
  const ComponentInfo& info = subject.info();
  std::string lacking;
  for (const auto& [text, call] :
       {std::pair{&info.documentation, ".documentation()"},
        std::pair{&info.complexity, ".complexity()"}, std::pair{&info.example, ".example()"}})
    if (text->empty()) lacking += (lacking.empty() ? "" : ", ") + std::string(call);
  if (!lacking.empty()) throw Remark("its declaration could say more: " + lacking);
}

void defaults(const Subject& subject) {
  for (const ParameterInfo& p : subject.info().parameters) {
    require(!(p.interval.low > p.interval.high),
            "no value of '" + p.name + "' is in its range " + p.interval.text());
    if (p.required || p.type == ParameterType::component) continue;
    if (p.optional && to_text(p.fallback).empty()) continue;
    if (const auto problem = p.check(p.fallback)) throw Failed("the default: " + *problem);
  }
}

void refused(const ParameterInfo& p, const Value& value) {
  require(p.check(value).has_value(),
          "'" + p.name + "' accepts " + to_text(value) + ", which its declaration forbids");
}

void beyond_limits(const Subject& subject) {
  for (const ParameterInfo& p : subject.info().parameters) {
    const bool integer = p.type == ParameterType::integer || p.type == ParameterType::integers;
    if (integer || p.type == ParameterType::number || p.type == ParameterType::numbers ||
        is_number_or_word(p)) {
      const auto step = [&](double x) { return integer ? 1.0 : 1e-6 * std::max(1.0, std::abs(x)); };
      const auto& range = p.interval;
      if (std::isfinite(range.low))
        refused(p, range.low_open ? range.low : range.low - step(range.low));
      if (std::isfinite(range.high))
        refused(p, range.high_open ? range.high : range.high + step(range.high));
      refused(p, std::nan(""));
    }
    if (p.type == ParameterType::mapping) refused(p, NamedValues{{"x", std::nan("")}});
    if (!p.choices.empty()) refused(p, std::string("no such choice"));
  }
}

void creation(const Subject& subject) {
  require(subject.create(subject.config()) != nullptr, "nothing was created");
}

}  // namespace

void add_declaration_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"names", names},
       {"figures", figures},
       {"documentation", documentation},
       {"page in the reference", page_in_the_reference},
       {"defaults within their ranges", defaults},
       {"values outside the ranges are refused", beyond_limits},
       {"created with its defaults", creation}});
}

}  // namespace semblance::conformance
