// SPDX-License-Identifier: MIT
#include "cli/complete/written_pipeline.hpp"

#include "pipeline/overrides.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/specification.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "registry/targets_text.hpp"

namespace semblance::cli {
namespace {

/// The parts between dots, of which the last may be empty.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

WrittenPipeline::WrittenPipeline(const std::filesystem::path& file,
                                 const std::vector<std::string>& changes,
                                 const Catalogue& catalogue)
    : catalogue_(catalogue), changes_(override_sources(changes)) {
  if (!read(file, root_)) return;
  // A study may have its nodes in another file.
  const YamlEntry* study = root_.find("study");
  const YamlEntry* base = study ? study->value.find("pipeline") : nullptr;
  if (YamlNode other; base && read(file.parent_path() / base->value.text, other))
    for (const YamlEntry& entry : other.entries)
      if (!root_.find(entry.key.text)) root_.entries.push_back(entry);
  Problems ignored;
  apply_overrides(parse_overrides(changes_, ignored), catalogue_, root_, ignored);
}

bool WrittenPipeline::read(const std::filesystem::path& file, YamlNode& root) {
  const PipelineFile content = read_pipeline_file(file);
  if (content.problem) return false;
  const SourceText& source =
      files_.emplace_back(file.string(), without_byte_order_mark(content.text));
  Problems ignored;
  if (!check_text(source, ignored)) return false;
  auto tree = parse_yaml(source, ignored);
  if (!tree || !tree->is_mapping()) return false;
  root = *std::move(tree);
  return true;
}

const YamlNode* WrittenPipeline::node(const std::string& name) const {
  const YamlEntry* nodes = root_.find("nodes");
  const YamlEntry* found = nodes ? nodes->value.find(name) : nullptr;
  return found ? &found->value : nullptr;
}

const ComponentInfo* WrittenPipeline::component(const YamlNode* written) const {
  const YamlEntry* is = written ? written->find("is") : nullptr;
  const Catalogue::Entry* entry = is ? catalogue_.find(is->value.text) : nullptr;
  return entry ? &entry->info : nullptr;
}

/// The component that the parts name: nodes, NODE, PARAMETER...
WrittenPipeline::Slot WrittenPipeline::slot(const std::vector<std::string>& parts) const {
  Slot found;
  found.written = node(parts.at(1));
  found.info = component(found.written);
  found.kind = found.info ? std::string(found.info->kind()) : "";
  found.is_node = found.written && parts.size() == 2;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const ParameterInfo* parameter = found.info ? found.info->parameter(parts[i]) : nullptr;
    if (!parameter || parameter->type != ParameterType::component) return {};
    const YamlEntry* given = found.written ? found.written->find(parts[i]) : nullptr;
    found.written = given && given->value.is_mapping() ? &given->value : nullptr;
    found.info = component(found.written);
    if (const auto* usual = catalogue_.find(parameter->default_component); usual && !found.info)
      found.info = &usual->info;
    found.kind = parameter->kind;
  }
  return found;
}

std::vector<Completion> WrittenPipeline::keys(const Slot& slot) const {
  std::vector<Completion> found;
  if (!slot.kind.empty() || slot.is_node) found.push_back({"is=", "the component"});
  if (!slot.info) return found;
  for (const ParameterInfo& parameter : slot.info->parameters)
    found.push_back({parameter.name + (parameter.type == ParameterType::component ? "." : "="),
                     parameter.documentation});
  if (!slot.is_node) return found;
  for (const PortInfo& input : slot.info->inputs)
    found.push_back({input.name + "=", input.documentation});
  if (slot.info->random) found.push_back({"seed=", "of this node alone"});
  return found;
}

/// The keys below the parts; with an ending that says what follows.
std::vector<Completion> WrittenPipeline::keys(const std::vector<std::string>& parts) const {
  std::vector<Completion> found;
  if (parts.empty()) {
    for (const std::string& key : pipeline_keys())
      if (key == "nodes")
        found.push_back({"nodes.", ""});
      else if (key != "select")
        found.push_back({key + "=", ""});
    for (const char* key : {"select", "study"})
      if (root_.find(key)) found.push_back({std::string(key) + ".", ""});
    return found;
  }
  if (parts[0] == "nodes") {
    if (parts.size() > 1) return keys(slot(parts));
    for (const Completion& node : nodes(false)) found.push_back({node.text + ".", node.meaning});
    return found;
  }
  const YamlNode* mapping = &root_;
  for (const std::string& part : parts) {
    const YamlEntry* entry = mapping->find(part);
    if (!entry) return {};
    mapping = &entry->value;
  }
  for (const YamlEntry& entry : mapping->entries)
    found.push_back({entry.key.text + (entry.value.is_mapping() ? "." : "="), ""});
  return found;
}

std::vector<Completion> WrittenPipeline::values(const Slot& slot, const std::string& key) const {
  std::vector<Completion> found;
  if (key == "is") {
    for (const Catalogue::Entry* entry : catalogue_.entries())
      if (slot.kind.empty() || entry->info.kind() == slot.kind)
        found.push_back({entry->info.id, summary_with_targets(entry->info)});
    return found;
  }
  if (!slot.info) return found;
  if (slot.is_node && slot.info->input(key)) return nodes(false);
  const ParameterInfo* parameter = slot.info->parameter(key);
  if (!parameter) return found;
  const auto word = [&](const std::string& text) {
    found.push_back({text, text == to_text(parameter->fallback) ? "default" : ""});
  };
  if (parameter->type == ParameterType::boolean)
    for (const char* text : {"true", "false"}) word(text);
  for (const std::string& choice : parameter->choices) word(choice);
  return found;
}

std::vector<Completion> WrittenPipeline::values(const std::vector<std::string>& parts) const {
  if (parts.size() == 2 && parts[1] == "metric") return figures();
  if (parts.size() < 3 || parts[0] != "nodes") return {};
  return values(slot({parts.begin(), parts.end() - 1}), parts.back());
}

std::vector<Completion> WrittenPipeline::changes(const std::string& typed) const {
  const std::size_t equals = typed.find('=');
  std::vector<std::string> parts = parts_of(typed.substr(0, equals));
  std::vector<Completion> found;
  std::string before;
  if (equals != typed.npos) {
    found = values(parts);
    before = typed.substr(0, equals + 1);
  } else {
    parts.pop_back();
    found = keys(parts);
    for (const std::string& part : parts) before += part + ".";
  }
  for (Completion& completion : found) completion.text = before + completion.text;
  return found;
}

std::vector<Completion> WrittenPipeline::nodes(bool scoring) const {
  std::vector<Completion> found;
  const YamlEntry* nodes = root_.find("nodes");
  if (!nodes) return found;
  for (const YamlEntry& node : nodes->value.entries) {
    const ComponentInfo* info = component(&node.value);
    if (!scoring || (info && info->kind() == "solver"))
      found.push_back({node.key.text, info ? info->id : ""});
  }
  return found;
}

std::vector<Completion> WrittenPipeline::figures() const {
  std::vector<Completion> found;
  const YamlEntry* nodes = root_.find("nodes");
  if (!nodes) return found;
  for (const YamlEntry& node : nodes->value.entries)
    if (const ComponentInfo* info = component(&node.value))
      for (const FigureInfo& figure : info->figures)
        if (figure.name.find('*') == figure.name.npos)
          found.push_back({node.key.text + "." + figure.name, figure.documentation});
  return found;
}

}  // namespace semblance::cli
