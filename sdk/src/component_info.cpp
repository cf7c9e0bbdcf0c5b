// SPDX-License-Identifier: MIT
#include "semblance/component_info.hpp"

#include <algorithm>

#include "semblance/plugin.hpp"

namespace semblance {

std::vector<LayoutKind> PortInfo::layouts_taken() const {
  if (!layouts.empty()) return layouts;
  std::vector<LayoutKind> taken;
  for (const LayoutInfo& info : semblance::layouts())
    if (!info.example.ragged()) taken.push_back(info.kind);
  return taken;
}

const std::vector<LayoutKind>& PortInfo::layouts_with(
    const std::vector<std::pair<std::string, Value>>& values,
    const std::vector<LayoutKind>& otherwise) const {
  for (const LayoutsWhere& where : layouts_where)
    for (const auto& [parameter, value] : values)
      if (parameter == where.parameter && to_text(value) == where.value) return where.layouts;
  return otherwise;
}

std::string FormerName::state() const { return gone ? "is gone" : "is deprecated since " + since; }

std::string FormerName::remedy(std::string_view id) const {
  if (!advice.empty()) return advice;
  if (id.empty()) return "write " + instead;
  return "write is: " + std::string(id) + (instead.empty() ? "" : ", " + instead);
}

const FormerName* find_former(const std::vector<FormerName>& names,
                              std::string_view written) noexcept {
  const auto found = std::ranges::find(names, written, &FormerName::written);
  return found == names.end() ? nullptr : &*found;
}

const char* name(PortType type) noexcept {
  switch (type) {
    case PortType::samples:
      return "samples";
    case PortType::basis:
      return "basis";
    case PortType::pairs:
      return "pairs";
    case PortType::scores:
      return "scores";
    case PortType::pair_scores:
      return "scores of pairs";
    case PortType::estimates:
      return "estimates";
    case PortType::intervals:
      return "intervals";
    case PortType::novelty:
      return "novelty scores";
    case PortType::report:
      return "report";
  }
  return "unknown";
}

const char* name(TargetKind kind) noexcept {
  switch (kind) {
    case TargetKind::none:
      return "no target";
    case TargetKind::classes:
      return "classes";
    case TargetKind::numbers:
      return "numbers";
  }
  return "unknown";
}

bool ComponentInfo::takes(TargetKind target) const noexcept {
  return targets.empty() || std::ranges::find(targets, target) != targets.end();
}

const ParameterInfo* ComponentInfo::parameter(std::string_view wanted) const noexcept {
  for (const auto& p : parameters)
    if (p.name == wanted) return &p;
  return nullptr;
}

const PortInfo* ComponentInfo::input(std::string_view wanted) const noexcept {
  for (const auto& p : inputs)
    if (p.name == wanted) return &p;
  return nullptr;
}

bool FigureInfo::matches(std::string_view figure) const noexcept {
  const std::size_t star = name.find('*');
  if (star == std::string::npos) return figure == name;
  const std::string_view before = std::string_view(name).substr(0, star);
  const std::string_view after = std::string_view(name).substr(star + 1);
  return figure.size() > before.size() + after.size() && figure.starts_with(before) &&
         figure.ends_with(after);
}

const FigureInfo* ComponentInfo::figure(std::string_view wanted) const noexcept {
  const FigureInfo* found = nullptr;
  for (const auto& f : figures) {
    if (f.name == wanted) return &f;
    if (!found && f.matches(wanted)) found = &f;
  }
  return found;
}

std::string unindented(std::string_view lines) {
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    all.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto blank = [](std::string_view line) {
    return line.find_first_not_of(' ') == std::string_view::npos;
  };
  while (!all.empty() && blank(all.front())) all.erase(all.begin());
  while (!all.empty() && blank(all.back())) all.pop_back();
  std::size_t shared = std::string_view::npos;
  for (const auto line : all)
    if (!blank(line)) shared = std::min(shared, line.find_first_not_of(' '));
  std::string text;
  for (const auto line : all)
    text += (text.empty() ? "" : "\n") + std::string(blank(line) ? "" : line.substr(shared));
  return text;
}

const char* host_fingerprint() noexcept { return SEMBLANCE_FINGERPRINT; }

}  // namespace semblance
