// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iostream>

#include "cli/pipeline_options.hpp"
#include "pipeline/pipeline_schema.hpp"
#include "pipeline/suggestion.hpp"
#include "registry/component_info_json.hpp"

namespace semblance::cli {
namespace {

std::string type_text(const ParameterInfo& p) {
  std::string text = name(p.type);
  if (!p.kind.empty()) text += " of kind " + p.kind;
  if (!p.choices.empty()) text = to_text(p.choices);
  if (p.interval.bounded()) text += " in " + p.interval.text();
  if (!p.unit.empty()) text += ", " + p.unit;
  return text;
}

std::string default_text(const ParameterInfo& p) {
  if (p.required) return "required";
  if (!p.default_component.empty()) return "default " + p.default_component;
  const std::string text = to_text(p.fallback);
  return text.empty() ? "optional" : "default " + text;
}

void print_ports(const ComponentInfo& info) {
  for (const auto& port : info.inputs) {
    std::string layouts;
    for (const LayoutKind kind : port.layouts)
      layouts += std::string(layouts.empty() ? " of layout " : " or ") + name(kind);
    fmt::print("  {:<18} {}{}{}: {}\n", port.name, name(port.type), layouts,
               port.many ? ", one or more" : "", port.documentation);
  }
}

void print(const Catalogue::Entry& entry) {
  const auto& info = entry.info;
  fmt::print("{}\n  {}\n", info.id, info.summary);
  if (!info.documentation.empty()) fmt::print("\n  {}\n", info.documentation);
  if (!info.inputs.empty()) fmt::print("\ninputs\n");
  print_ports(info);
  if (info.output) fmt::print("\ngives\n  {}\n", name(info.output->type));
  if (!info.parameters.empty()) fmt::print("\nparameters\n");
  for (const auto& p : info.parameters)
    fmt::print("  {:<18} {}; {}\n  {:<18} {}\n", p.name, type_text(p), default_text(p), "",
               p.documentation);
  fmt::print("\n");
  if (!info.reference.empty()) fmt::print("reference   {}\n", info.reference);
  if (!info.complexity.empty()) fmt::print("complexity  {}\n", info.complexity);
  fmt::print("plugin      {} {} ({})\n", entry.plugin->name, entry.plugin->version,
             entry.plugin->licence);
}

void print_json(const Catalogue::Entry& entry) {
  auto json = to_json(entry.info);
  json["plugin"] = {{"name", entry.plugin->name},
                    {"version", entry.plugin->version},
                    {"licence", entry.plugin->licence},
                    {"library", entry.plugin->library.string()}};
  std::cout << json.dump(2) << "\n";
}

/// A schema without components would call every pipeline wrong.
void print_schema(const Discovery& found) {
  if (found.catalogue.entries().empty())
    throw Error("no plugin was found; plugins were looked for in:\n" + describe(found.trials));
  std::cout << pipeline_schema(found.catalogue).dump(2) << "\n";
}

const Catalogue::Entry& find(const std::string& id, const Discovery& found) {
  if (const auto* entry = found.catalogue.find(id)) return *entry;
  std::vector<std::string> ids;
  for (const auto* e : found.catalogue.entries()) ids.push_back(e->info.id);
  const auto near = closest(id, ids);
  throw UsageError("there is no component '" + id + "'" +
                   (near ? "; did you mean '" + *near + "'?" : "") +
                   "\nplugins were looked for in:\n" + describe(found.trials));
}

}  // namespace

int describe_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("describe");
  options::options_description described("options", 100);
  described.add_options()("plugin-path", options::value<std::vector<std::string>>(),
                          "a plugin or a folder of plugins; may be repeated")(
      "json", "the declaration as JSON")(
      "schema",
      "instead of one component, a JSON Schema of pipelines and studies with all of them, for "
      "editors: their first line '# yaml-language-server: $schema=FILE' then checks and completes");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  if (values->count("schema")) {
    if (values->count("argument"))
      throw UsageError("--schema is of all components; leave the ID out");
    print_schema(discover(*values));
    return done;
  }
  const std::string id = required_argument(*values, verb);
  const Discovery found = discover(*values);
  const auto& entry = find(id, found);
  if (values->count("json"))
    print_json(entry);
  else
    print(entry);
  return done;
}

}  // namespace semblance::cli
