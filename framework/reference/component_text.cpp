// SPDX-License-Identifier: MIT
#include "reference/component_text.hpp"

#include <algorithm>
#include <sstream>

#include "registry/figures.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance {

std::string type_text(const ParameterInfo& p) {
  std::string text = name(p.type);
  if (!p.kind.empty()) text += " of kind " + p.kind;
  if (!p.choices.empty()) text = to_text(p.choices);
  if (is_number_or_word(p)) text += " or number";
  if (p.interval.bounded()) text += " in " + p.interval.text();
  if (!p.unit.empty()) text += ", " + p.unit;
  return text;
}

std::string default_text(const ParameterInfo& p) {
  if (p.required) return "required";
  if (!p.default_component.empty()) return p.default_component;
  const std::string text = to_text(p.fallback);
  return text.empty() ? "optional" : text;
}

std::string figure_type_text(const FigureInfo& figure) {
  std::string text = figure.unit == FigureUnit::plain ? "number" : name(figure.unit);
  if (figure.better != Better::none) text += std::string(", ") + name(figure.better) + " is better";
  return text;
}

std::string port_text(const PortInfo& port) {
  std::string layouts;
  const bool any = port.layouts.size() == semblance::layouts().size();
  for (const LayoutKind kind : any ? std::vector<LayoutKind>() : port.layouts)
    layouts += std::string(layouts.empty() ? " of layout " : " or ") + name(kind);
  return name(port.type) + layouts + (port.many ? ", one or more" : "");
}

std::string input_text(const ComponentInfo& info, const std::string& input) {
  std::string text;
  for (const PortInfo& port : info.inputs)
    if (port.name == input) text += (text.empty() ? "" : " or ") + port_text(port);
  return text;
}

std::string former_text(const FormerName& name, const std::string& id) {
  const bool is_id = name.written.find('/') < name.written.find(": ");
  return name.state() + ": " + name.remedy(is_id ? id : "");
}

std::string example_pipeline(const ComponentInfo& info) {
  if (info.example.empty()) return "";
  std::string called = info.id;
  std::ranges::replace(called, '/', '_');
  std::string text = "name: " + called + "\nnodes:\n";
  std::istringstream lines(info.example);
  for (std::string line; std::getline(lines, line);)
    text += (line.empty() ? "" : "  " + line) + "\n";
  return text;
}

}  // namespace semblance
