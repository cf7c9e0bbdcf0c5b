// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iostream>

#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "pipeline/specification/component_lookup.hpp"
#include "reference/component_text.hpp"
#include "reference/reference_pages.hpp"
#include "registry/component_info_json.hpp"
#include "registry/targets_text.hpp"
#include "schema/schema.hpp"

namespace semblance::cli {
namespace {

std::string default_of(const ParameterInfo& p) {
  const std::string text = default_text(p);
  return text == "required" || text == "optional" ? text : "default " + text;
}

void print(const Catalogue::Entry& entry) {
  const auto& info = entry.info;
  fmt::print("{}\n  {}\n", info.id, info.summary);
  if (!info.documentation.empty()) fmt::print("\n  {}\n", info.documentation);
  if (!info.inputs.empty()) fmt::print("\ninputs\n");
  for (const auto& port : info.inputs)
    if (&port == info.input(port.name))
      fmt::print("  {:<18} {}: {}\n", port.name, input_text(info, port.name), port.documentation);
  if (info.output) fmt::print("\ngives\n  {}\n", port_text(*info.output));
  if (!info.parameters.empty()) fmt::print("\nparameters\n");
  for (const auto& p : info.parameters)
    fmt::print("  {:<18} {}; {}\n  {:<18} {}\n", p.name, type_text(p), default_of(p), "",
               p.documentation);
  if (!info.former.empty()) fmt::print("\nformer names\n");
  for (const auto& former : info.former)
    fmt::print("  {:<18} {}\n", former.written, former_text(former, info.id));
  if (!info.figures.empty()) fmt::print("\nreports\n");
  for (const auto& figure : info.figures)
    fmt::print("  {:<18} {}; {}\n", figure.name, figure_type_text(figure), figure.documentation);
  fmt::print("\n");
  if (!info.reference.empty()) fmt::print("reference   {}\n", info.reference);
  if (!info.complexity.empty()) fmt::print("complexity  {}\n", info.complexity);
  if (const std::string targets = targets_text(info); !targets.empty())
    fmt::print("target      {}\n", targets);
  if (info.kind() == "solver")
    fmt::print("row weights {}\n", info.takes_weights ? "it uses them" : "it takes none");
  fmt::print("plugin      {} {} ({})\n", entry.plugin->name, entry.plugin->version,
             entry.plugin->licence);
  if (!info.example.empty()) fmt::print("\nexample\n{}", example_pipeline(info));
}

nlohmann::ordered_json json_of(const Catalogue::Entry& entry) {
  auto json = to_json(entry.info);
  json["plugin"] = {{"name", entry.plugin->name},
                    {"version", entry.plugin->version},
                    {"licence", entry.plugin->licence},
                    {"library", entry.plugin->library.string()}};
  return json;
}

void describe_one(const Catalogue::Entry& entry, const options::variables_map& values) {
  const ComponentInfo& info = entry.info;
  if (values.count("example")) {
    if (info.example.empty())
      throw Error(info.id + " has no example; the plugin's author can add one to its declaration");
    fmt::print("{}", example_pipeline(info));
  } else if (values.count("json")) {
    std::cout << json_of(entry).dump(2) << "\n";
  } else {
    print(entry);
  }
}

void describe_all(const options::variables_map& values) {
  const Discovery found = discover(values);
  if (values.count("json")) {
    auto json = nlohmann::ordered_json::array();
    for (const auto* entry : found.catalogue.entries()) json.push_back(json_of(*entry));
    std::cout << json.dump(2) << "\n";
    return;
  }
  std::string line;
  for (const auto* entry : found.catalogue.entries()) {
    fmt::print("{}", line);
    print(*entry);
    line = "\n";
  }
}

void write_pages(const options::variables_map& values) {
  const std::string folder = values["pages"].as<std::string>();
  const std::size_t pages = write_reference(discover(values).catalogue, folder);
  fmt::print("{} component{} in {}\n", pages, pages == 1 ? "" : "s",
             (std::filesystem::path(folder) / "README.md").string());
}

const Catalogue::Entry& find(const std::string& id, const Discovery& found) {
  if (const auto* entry = found.catalogue.find(id)) return *entry;
  if (const std::string meant = meant_component(found.catalogue, id); !meant.empty())
    throw UsageError("unknown component '" + id + "'; " + meant);
  throw UsageError("unknown component '" + id + "'\nplugins were searched for in:\n" +
                   describe(found.trials));
}

}  // namespace

int describe_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("describe");
  options::options_description described("options", 100);
  add_plugin_option(described);
  described.add_options()("json", "as JSON, with everything declared")(
      "example", "only the example: a pipeline file")("all", "every component instead of one")(
      "pages", takes("DIR"),
      "write the reference into a folder: a Markdown page for each component, and an index")(
      "schema",
      "a JSON Schema of pipelines and studies with all components, for editors: files whose first "
      "line is '# yaml-language-server: $schema=FILE' are then checked and completed");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  for (const char* of_all : {"all", "pages", "schema"}) {
    if (!values->count(of_all)) continue;
    if (values->count("argument"))
      throw UsageError(std::string("--") + of_all + " covers all components; omit the ID");
    if (values->count("example")) throw UsageError("--example needs the ID of one component");
  }
  if (values->count("schema")) {
    std::cout << pipeline_schema(discover(*values).catalogue).dump(2) << "\n";
  } else if (values->count("pages")) {
    write_pages(*values);
  } else if (values->count("all")) {
    describe_all(*values);
  } else {
    const std::string id = required_argument(*values, verb);
    const Discovery found = discover(*values);
    describe_one(find(id, found), *values);
  }
  return done;
}

}  // namespace semblance::cli
