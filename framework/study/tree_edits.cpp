// SPDX-License-Identifier: MIT
#include "study/tree_edits.hpp"

#include <algorithm>
#include <functional>

#include "pipeline/yaml/diagnostic.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

namespace {

YamlNode* nodes_of(YamlNode& root) {
  YamlEntry* nodes = root.is_mapping() ? root.find("nodes") : nullptr;
  return nodes && nodes->value.is_mapping() ? &nodes->value : nullptr;
}

const ComponentInfo* component_of(const YamlNode& body, const Catalogue& catalogue) {
  const YamlEntry* is = body.is_mapping() ? body.find("is") : nullptr;
  const auto* entry = is ? catalogue.find(is->value.text) : nullptr;
  return entry ? &entry->info : nullptr;
}

/// Calls `visit` with the value of every input of a node; for an unknown component anything may be
/// an input.
void visit_inputs(YamlNode& body, const Catalogue& catalogue,
                  const std::function<void(YamlNode& value)>& visit) {
  if (!body.is_mapping()) return;
  const ComponentInfo* info = component_of(body, catalogue);
  for (YamlEntry& entry : body.entries)
    if (!info || info->input(entry.key.text)) visit(entry.value);
}

bool mentions(const YamlNode& value, const std::string& name) {
  if (value.is_scalar()) return value.text == name;
  return std::ranges::any_of(value.items, [&](const auto& item) { return mentions(item, name); });
}

/// The node to be removed; nullptr: reported.
YamlEntry* find_node(YamlNode& nodes, const YamlNode& name, Problems& problems) {
  YamlEntry* entry = nodes.find(name.text);
  if (entry) return entry;
  std::vector<std::string> names;
  for (const auto& node : nodes.entries) names.push_back(node.key.text);
  problems.error(name.place, "unknown node " + quote(name.text), did_you_mean(name.text, names));
  return nullptr;
}

void erase_node(YamlNode& nodes, const std::string& name) {
  std::erase_if(nodes.entries, [&](const YamlEntry& entry) { return entry.key.text == name; });
}

/// Replaces `name` by what `instead` names.
void replace(YamlNode& value, const std::string& name, const YamlNode& instead) {
  if (value.is_scalar()) {
    if (value.text == name) value = instead;
    return;
  }
  std::vector<YamlNode> items;
  for (YamlNode& item : value.items) {
    if (!item.is_scalar() || item.text != name)
      items.push_back(std::move(item));
    else if (instead.is_list())
      items.insert(items.end(), instead.items.begin(), instead.items.end());
    else
      items.push_back(instead);
  }
  value.items = std::move(items);
}

}  // namespace

void bypass_node(YamlNode& root, const YamlNode& name, const Catalogue& catalogue,
                 Problems& problems) {
  YamlNode* nodes = nodes_of(root);
  YamlEntry* entry = nodes ? find_node(*nodes, name, problems) : nullptr;
  if (!entry) return;
  const YamlEntry* from = entry->value.is_mapping() ? entry->value.find("from") : nullptr;
  if (!from) {
    problems.error(name.place,
                   "node " + quote(name.text) + " has no input that could take its place");
    return;
  }
  const YamlNode instead = from->value;
  for (YamlEntry& node : nodes->entries)
    visit_inputs(node.value, catalogue,
                 [&](YamlNode& value) { replace(value, name.text, instead); });
  erase_node(*nodes, name.text);
}

void drop_nodes(YamlNode& root, const std::vector<YamlNode>& names, const Catalogue& catalogue,
                Problems& problems) {
  YamlNode* nodes = nodes_of(root);
  if (!nodes) return;
  std::vector<YamlNode> known;
  for (const YamlNode& name : names)
    if (find_node(*nodes, name, problems)) known.push_back(name);
  for (const YamlNode& name : known) erase_node(*nodes, name.text);
  for (YamlEntry& node : nodes->entries)
    visit_inputs(node.value, catalogue, [&](YamlNode& value) {
      for (const YamlNode& name : known) {
        if (!mentions(value, name.text)) continue;
        if (value.is_list() && value.items.size() > 1)
          std::erase_if(value.items, [&](const YamlNode& item) { return item.text == name.text; });
        else
          problems.error(name.place,
                         "node " + quote(name.text) +
                             " cannot be dropped: it is the only node that " +
                             quote(node.key.text) + " names",
                         "bypass it instead, or drop " + node.key.text + " too");
      }
    });
}

std::set<std::string> prune(YamlNode& root, const Catalogue& catalogue) {
  YamlNode* nodes = nodes_of(root);
  std::set<std::string> left;
  if (!nodes) return left;
  for (bool again = true; again;) {
    const auto used = [&](const std::string& name) {
      bool found = false;
      for (YamlEntry& node : nodes->entries)
        visit_inputs(node.value, catalogue,
                     [&](YamlNode& value) { found = found || mentions(value, name); });
      return found;
    };
    const auto unused = std::ranges::find_if(nodes->entries, [&](const YamlEntry& node) {
      const ComponentInfo* info = component_of(node.value, catalogue);
      return info && info->kind() != "solver" && info->kind() != "calibrator" &&
             info->kind() != "evaluator" && !used(node.key.text);
    });
    again = unused != nodes->entries.end();
    if (again) nodes->entries.erase(unused);
  }
  for (const YamlEntry& node : nodes->entries) left.insert(node.key.text);
  return left;
}

YamlNode varied_tree(const YamlNode& base, const StudySpecification& study,
                     const std::vector<std::size_t>& choices, const Repeat& repeat,
                     const Catalogue& catalogue, std::set<std::string>& used, Problems& problems) {
  YamlNode tree = base;
  std::vector<Override> changes;
  std::vector<YamlNode> dropped;
  std::vector<YamlNode> bypassed;
  const auto append = [](auto& all, const auto& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  const auto add = [&](const Alternative& alternative) {
    append(changes, alternative.changes);
    append(bypassed, alternative.bypass);
    append(dropped, alternative.drop);
  };
  add(study.changes);
  for (std::size_t s = 0; s < choices.size(); ++s) add(study.slots[s].alternatives[choices[s]]);
  append(changes, repeat.changes);
  apply_overrides(changes, catalogue, tree, problems, ChangeOrigin::file);
  for (const YamlNode& name : bypassed) bypass_node(tree, name, catalogue, problems);
  drop_nodes(tree, dropped, catalogue, problems);
  used.merge(prune(tree, catalogue));
  return tree;
}

}  // namespace semblance
