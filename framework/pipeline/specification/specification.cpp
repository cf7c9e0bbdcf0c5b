// SPDX-License-Identifier: MIT
#include "pipeline/specification/specification.hpp"

#include <algorithm>

#include "pipeline/specification/node_reader.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

bool name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// A key that an unknown one was meant to be is not reported as missing.
std::set<std::string> check_keys(const YamlNode& root, Problems& problems) {
  std::set<std::string> meant;
  for (const YamlEntry& entry : root.entries) {
    const std::string& key = entry.key.text;
    if (std::find(pipeline_keys().begin(), pipeline_keys().end(), key) != pipeline_keys().end())
      continue;
    const auto suggestion = problems.full() ? std::nullopt : closest(key, pipeline_keys());
    problems.error(
        entry.key.place, "a pipeline has no " + quote(key),
        suggestion ? "did you mean '" + *suggestion + "'?"
                   : "its keys are " + enumerate(pipeline_keys()) + "; components go under nodes");
    meant.insert(suggestion.value_or(""));
  }
  return meant;
}

std::string read_name(const YamlNode& node, Problems& problems) {
  if (node.is_invalid()) return "";
  if (!node.is_scalar()) {
    problems.error(node.place, "'name' must be text, got " + node.describe());
    return "";
  }
  const std::string& text = node.text;
  if (text.empty() || !std::all_of(text.begin(), text.end(), name_letter)) {
    std::string better;
    for (const char c : text)
      if (name_letter(c))
        better += c;
      else if (!better.empty() && better.back() != '_')
        better += '_';
    if (better.ends_with('_')) better.pop_back();
    problems.error(node.place, quote(text) + " is not a valid pipeline name",
                   "use only letters, digits, _ and -" +
                       (better.empty() || text.size() > 40 ? "" : ", for example " + better));
  }
  return text;
}

std::string read_description(const YamlNode& node, Problems& problems) {
  if (node.is_scalar()) return node.text;
  if (!node.is_invalid() && node.kind != YamlNode::Kind::nothing)
    problems.error(node.place, "'description' must be text, got " + node.describe());
  return "";
}

void read_nodes(const YamlEntry& entry, const Catalogue& catalogue, ComponentReader& components,
                Problems& problems, Specification& result) {
  result.nodes_place = entry.key.place;
  const YamlNode& nodes = entry.value;
  if (nodes.is_invalid()) return;
  if (!nodes.is_mapping() || nodes.entries.empty()) {
    const bool empty = nodes.is_mapping() || nodes.kind == YamlNode::Kind::nothing;
    problems.error(
        nodes.place,
        empty ? "'nodes' is empty" : "'nodes' must be a mapping, got " + nodes.describe(),
        "write one node per line: NAME: {is: kind/name, ...}");
    return;
  }
  if (nodes.entries.size() > most_nodes) {
    problems.error(result.nodes_place, std::to_string(nodes.entries.size()) +
                                           " nodes are too many; the limit is " +
                                           std::to_string(most_nodes));
    return;
  }
  for (const YamlEntry& node : nodes.entries)
    result.nodes.push_back(read_node(node, catalogue, components, problems));
}

}  // namespace

const std::vector<std::string>& pipeline_keys() {
  static const std::vector<std::string> keys = {"name", "description", "seed", "nodes", "select"};
  return keys;
}

Specification read_specification(const YamlNode& root, const Catalogue& catalogue,
                                 ComponentReader& components, Problems& problems) {
  Specification result;
  if (root.is_invalid()) return result;
  if (root.kind == YamlNode::Kind::nothing) {
    problems.error(root.place.source->whole(), "the file is empty",
                   "a pipeline needs at least a name and nodes");
    return result;
  }
  if (!root.is_mapping()) {
    problems.error(root.place, "a pipeline must be a mapping, got " + root.describe(),
                   "its keys are " + enumerate(pipeline_keys()) + "; a key is followed by ': '");
    return result;
  }
  const auto meant = check_keys(root, problems);
  const Place start = root.place;
  if (const auto* name = root.find("name"))
    result.name = read_name(name->value, problems);
  else if (!meant.contains("name"))
    problems.error(start, "the pipeline has no name", "add a first line: name: my_pipeline");
  if (const auto* text = root.find("description"))
    result.description = read_description(text->value, problems);
  if (const auto* seed = root.find("seed"))
    result.seed = read_seed(seed->value, problems).value_or(1);
  if (const auto* nodes = root.find("nodes"))
    read_nodes(*nodes, catalogue, components, problems, result);
  else if (!meant.contains("nodes"))
    problems.error(start, "the pipeline has no nodes",
                   "add nodes: and, under it, one node per line: NAME: {is: kind/name, ...}");
  return result;
}

}  // namespace semblance
