// SPDX-License-Identifier: MIT
#include "reference/reference_pages.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "reference/component_text.hpp"
#include "registry/targets_text.hpp"
#include "semblance/error.hpp"
#include "semblance/kind.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance {

namespace {

using markdown::code;

using markdown::escaped;

namespace fs = std::filesystem;

std::string component_link(const std::string& id, const Catalogue& all) {
  return all.find(id) ? "[" + code(id) + "](../" + id + ".md)" : code(id);
}

std::string kind_link(const std::string& kind) {
  return "[" + kind + "](../README.md#" + kind + ")";
}

std::string inputs(const ComponentInfo& info) {
  std::vector<std::vector<std::string>> rows;
  for (const PortInfo& port : info.inputs)
    if (&port == info.input(port.name))
      rows.push_back({code(port.name), input_text(info, port.name),
                      escaped(port.documentation) + (port.required ? "" : " (optional)")});
  if (rows.empty()) return "It takes no input from other nodes.\n";
  return markdown::table({"input", "takes", ""}, rows);
}

std::string output(const ComponentInfo& info) {
  if (!info.output)
    return "It is not a node of its own, but the value of a parameter of kind " +
           kind_link(std::string(info.kind())) + ".\n";
  return "It gives " + port_text(*info.output) + ".\n";
}

std::string type_cell(const ParameterInfo& p) {
  if (!p.choices.empty()) {
    std::string text;
    for (const auto& choice : p.choices) text += (text.empty() ? "" : ", ") + code(choice);
    if (is_number_or_word(p)) text += ", or a number in " + escaped(p.interval.text());
    return text;
  }
  if (p.kind.empty()) return escaped(type_text(p));
  return "a component: " + kind_link(p.kind);
}

std::string default_cell(const ParameterInfo& p, const Catalogue& all) {
  if (!p.default_component.empty()) return component_link(p.default_component, all);
  const std::string text = default_text(p);
  return text == "required" || text == "optional" ? text : code(text);
}

std::string parameters(const ComponentInfo& info, const Catalogue& all) {
  if (info.parameters.empty()) return "It has none.\n";
  std::vector<std::vector<std::string>> rows;
  for (const ParameterInfo& p : info.parameters)
    rows.push_back({code(p.name), type_cell(p), default_cell(p, all), escaped(p.documentation)});
  return markdown::table({"parameter", "values", "default", ""}, rows);
}

std::string reports(const ComponentInfo& info) {
  if (info.figures.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const FigureInfo& figure : info.figures)
    rows.push_back({code(figure.name), figure_type_text(figure), escaped(figure.documentation)});
  return "\n## Reports\n\n" + markdown::table({"figure", "", ""}, rows);
}

std::string properties(const ComponentInfo& info) {
  std::string text;
  const auto item = [&](const std::string& what, const std::string& value) {
    if (!value.empty()) text += "- **" + what + ":** " + value + "\n";
  };
  item("Paper and equation", escaped(info.reference));
  item("Complexity", escaped(info.complexity));
  item("Random", info.random ? "the result depends on the pipeline's seed"
                             : "no, the same input gives the same result");
  if (info.symmetric) item("Symmetric", "s(a, b) = s(b, a)");
  item("Target", targets_text(info));
  if (info.kind() == "solver")
    item("Weights of rows", info.takes_weights ? "it uses them" : "it takes none");
  if (info.takes_missing) item("Missing values", "it fills them in");
  if (info.inexpensive) item("Kept", "no, recomputing it is cheaper than keeping it");
  if (info.distributed) item("With `--mpi`", "learns from rows that are spread over the ranks");
  if (info.uses_device) item("With `--device gpu`", "it computes on the GPU");
  return text;
}

std::string former_names(const ComponentInfo& info) {
  std::string text;
  for (const FormerName& name : info.former)
    text += "- " + code(name.written) + " " + escaped(former_text(name, info.id)) + "\n";
  return text.empty() ? "" : "\n## Former names\n\n" + text;
}

bool reads_files(const ComponentInfo& info) {
  for (const ParameterInfo& p : info.parameters)
    if (p.type == ParameterType::path) return true;
  return false;
}

std::string example(const ComponentInfo& info) {
  const std::string pipeline = example_pipeline(info);
  if (pipeline.empty()) return "";
  std::string text = "\n## Example\n\n```yaml\n" + pipeline + "```\n\n" +
                     code("semblance describe " + info.id + " --example > example.yaml") +
                     " writes it to a file that " + code("semblance run example.yaml") + " runs";
  if (reads_files(info)) text += "; data files are searched for below `--data DIR`";
  return text + ".\n";
}

void write(const fs::path& file, const std::string& text) {
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure)
    throw Error("the folder '" + file.parent_path().string() +
                "' cannot be made: " + failure.message());
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!(out << text) || !out.flush())
    throw Error("'" + file.string() + "' cannot be written: " + std::strerror(errno));
}

}  // namespace

std::string component_page(const Catalogue::Entry& entry, const Catalogue& all) {
  const ComponentInfo& info = entry.info;
  std::string text = "# " + info.id + "\n\n" + escaped(info.summary) + ".\n";
  if (!info.documentation.empty()) text += "\n" + escaped(info.documentation) + "\n";
  text += "\n## Inputs and output\n\n" + inputs(info) + "\n" + output(info);
  text += "\n## Parameters\n\n" + parameters(info, all);
  text += reports(info);
  text += "\n## Properties\n\n" + properties(info) + former_names(info) + example(info);
  const PluginOrigin& plugin = *entry.plugin;
  return text + "\n---\n\nPlugin " + code(plugin.name) + " " + plugin.version + ", licence " +
         plugin.licence + ". [All components](../README.md)\n";
}

std::string reference_index(const Catalogue& all) {
  std::string text =
      "# The components\n\n"
      "One page per component, generated from its declaration by `semblance describe --pages`.\n"
      "Every component may be used by several threads at once.\n";
  for (const std::string& kind : kinds()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto* entry : all.entries())
      if (entry->info.kind() == kind)
        rows.push_back({"[" + markdown::code(entry->info.id) + "](" + entry->info.id + ".md)",
                        markdown::escaped(entry->info.summary)});
    if (rows.empty()) continue;
    text += "\n## " + kind + "\n\n" + kind_named(kind)->purpose + "\n\n";
    text += markdown::table({"component", ""}, rows);
  }
  return text;
}

std::size_t write_reference(const Catalogue& all, const fs::path& folder) {
  write(folder / "README.md", reference_index(all));
  const auto entries = all.entries();
  for (const auto* entry : entries)
    write(folder / (entry->info.id + ".md"), component_page(*entry, all));
  return entries.size();
}

}  // namespace semblance
