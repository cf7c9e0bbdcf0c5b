// SPDX-License-Identifier: MIT
#include "cli/doctor/examination.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace semblance::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.dump();
}

/// Appends a mapping as lines; nested mappings are indented.
void append(std::string& text, const Json& value, std::size_t indent) {
  const std::string space(indent, ' ');
  for (const auto& [key, item] : value.items()) {
    const std::string name = value.is_array() ? "-" : key + ":";
    if (item.is_object() || (item.is_array() && !item.empty())) {
      text += fmt::format("{}{}\n", space, name);
      append(text, item, indent + 2);
    } else {
      text += fmt::format("{}{} {}\n", space, name, item.is_array() ? "none" : shown(item));
    }
  }
}

const char* word(Finding::Severity severity) {
  return severity == Finding::Severity::broken ? "broken" : "remark";
}

}  // namespace

void Examination::broken(std::string what, std::string advice) {
  findings_.push_back({Finding::Severity::broken, std::move(what), std::move(advice)});
}

void Examination::remark(std::string what, std::string advice) {
  findings_.push_back({Finding::Severity::remark, std::move(what), std::move(advice)});
}

void Examination::section(const std::string& name, const std::function<void(Json&)>& look) {
  Json facts = Json::object();
  try {
    look(facts);
  } catch (const std::exception& problem) {
    broken(fmt::format("{}: {}", name, problem.what()), "see the message");
  }
  facts_[name] = std::move(facts);
}

bool Examination::all_well() const {
  return std::ranges::none_of(findings_, [](const Finding& finding) {
    return finding.severity == Finding::Severity::broken;
  });
}

std::string text_of(const Examination& seen) {
  std::string text;
  for (const auto& [name, facts] : seen.facts().items()) {
    text += name + "\n";
    append(text, facts, 2);
    text += "\n";
  }
  for (const Finding& finding : seen.findings())
    text += fmt::format("{}: {}\n  what to do: {}\n", word(finding.severity), finding.what,
                        finding.advice);
  if (seen.findings().empty()) return text + "no problems found\n";
  return text + (seen.all_well() ? "\nno problems except for the remarks\n" : "\nproblems found\n");
}

Json json_of(const Examination& seen) {
  Json json = seen.facts();
  json["findings"] = Json::array();
  for (const Finding& finding : seen.findings())
    json["findings"].push_back({{"severity", word(finding.severity)},
                                {"what", finding.what},
                                {"what_to_do", finding.advice}});
  json["all_well"] = seen.all_well();
  return json;
}

}  // namespace semblance::cli
