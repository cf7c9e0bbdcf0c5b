// SPDX-License-Identifier: MIT
#include "cli/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/verb.hpp"
#include "export/onnx_door.hpp"
#include "serve/http/http_library.hpp"

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

/// "yes", or why not.
template <class Load>
std::string whether(const Load& load) {
  try {
    load();
    return "yes";
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

}  // namespace

int doctor_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("doctor");
  if (arguments.size() == 2 && arguments[0] == "--load") return describe_plugin(arguments[1]);
  options::options_description described(
      "Shows everything a bug report needs: program, machine, libraries, plugins, data, store;\n"
      "then what is wrong and how to fix it. Exits with 1 if something is broken.\n\n"
      "options",
      100);
  described.add_options()("plugin-path",
                          options::value<std::vector<std::string>>()->value_name("PATH"),
                          "a plugin or a folder of plugins; may be repeated")(
      "data", options::value<std::string>()->value_name("DIR"), "the data folder")(
      "cache", options::value<std::string>()->value_name("DIR"), "the artifact store")("json",
                                                                                       "as JSON");
  const auto values = parse(verb, arguments, described, {});
  if (!values) return done;
  std::vector<std::string> plugin_paths;
  if (values->count("plugin-path"))
    plugin_paths = (*values)["plugin-path"].as<std::vector<std::string>>();
  Examination seen;
  examine_program(seen);
  examine_machine(seen);
  examine_ranks(seen);
  examine_doors(seen);
  examine_plugins(seen, plugin_paths);
  examine_data(seen, option_text(*values, "data"));
  examine_store(seen, option_text(*values, "cache"));
  if (values->count("json"))
    fmt::print("{}\n",
               json_of(seen).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    fmt::print("{}", text_of(seen));
  return seen.all_well() ? done : failed;
}

void examine_doors(Examination& seen) {
  seen.section("models for others", [](nlohmann::ordered_json& facts) {
    facts["serve"] = whether(serving::http_library);
    facts["export --to onnx"] = whether(onnx_functions);
  });
}

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
