// SPDX-License-Identifier: MIT
#include "pipeline/specification/node_reader.hpp"

#include "pipeline/specification/component_lookup.hpp"
#include "pipeline/yaml/numerals.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

bool is_word(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !letter(name[0])) return false;
  for (const char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

class NodeReader {
 public:
  NodeReader(const YamlEntry& entry, const Catalogue& catalogue, ComponentReader& components,
             Problems& problems)
      : body_(entry.value), catalogue_(catalogue), components_(components), problems_(problems) {
    node_.name = entry.key.text;
    node_.place = entry.key.place;
  }

  NodeSpecification read() {
    if (!is_word(node_.name))
      problems_.error(node_.place, quote(node_.name) + " is not a valid node name",
                      "use letters, digits and _, not starting with a digit");
    if (!body_.is_mapping()) {
      refuse_body();
      return std::move(node_);
    }
    const Catalogue::Entry* entry = component();
    if (!entry) {
      node_.complete = false;
      mention(body_);
    } else {
      const auto meant = check_keys(entry->info);
      node_.component = components_.read(*entry, body_, node_.place, meant);
      for (const PortInfo& port : entry->info.inputs)
        if (&port == entry->info.input(port.name)) read_input(entry->info, port, meant);
    }
    if (const auto* seed = body_.find("seed")) {
      node_.seed_by_name = seed->value.is_scalar() && seed->value.text == "by_name";
      if (!node_.seed_by_name) node_.seed = read_seed(seed->value, problems_);
    }
    return std::move(node_);
  }

 private:
  void refuse_body() {
    node_.complete = false;
    if (body_.is_invalid()) return;
    const std::string id = body_.is_scalar() ? body_.text : "kind/name";
    problems_.error(body_.place,
                    "node " + quote(node_.name) + " must be a mapping, got " + body_.describe(),
                    "write " + node_.name + ": {is: " + id + ", ...}");
  }

  /// The component named by `is`; nullptr: reported.
  const Catalogue::Entry* component() {
    const YamlEntry* is = body_.find("is");
    if (!is) {
      refuse_without_is();
      return nullptr;
    }
    node_.kind = is->value.text.substr(0, is->value.text.find('/'));
    const auto* entry = find_component(is->value, catalogue_, problems_);
    if (entry && !entry->info.output) {
      problems_.error(
          is->value.place,
          entry->info.id + " cannot be a node: it can only be a parameter of another component");
      return nullptr;
    }
    return entry;
  }

  void refuse_without_is() {
    const std::string message = "node " + quote(node_.name) + " does not name its component";
    for (const YamlEntry& entry : body_.entries) {
      if (!entry.value.is_scalar() || !catalogue_.find(entry.value.text)) continue;
      problems_.error(entry.key.place, message, "did you mean is: " + entry.value.text + "?");
      return;
    }
    problems_.error(node_.place, message,
                    "add is: kind/name; `semblance list` shows all components");
  }

  /// Reports unknown keys, and returns the keys that they were meant to be.
  std::set<std::string> check_keys(const ComponentInfo& info) {
    std::set<std::string> meant;
    for (const YamlEntry& entry : body_.entries) {
      const std::string& key = entry.key.text;
      if (key == "is" || key == "seed" || info.parameter(key) || info.input(key)) continue;
      std::vector<std::string> names = parameter_names(info);
      for (const auto& port : info.inputs) names.push_back(port.name);
      names.insert(names.end(), {"is", "seed"});
      const auto suggestion = problems_.full() ? std::nullopt : closest(key, names);
      problems_.error(entry.key.place, info.id + " has no parameter or input " + quote(key),
                      suggestion ? "did you mean '" + *suggestion + "'?" : list_keys(info));
      meant.insert(suggestion.value_or(""));
      mention(entry.value);
    }
    return meant;
  }

  static std::string list_keys(const ComponentInfo& info) {
    std::vector<std::string> ports;
    for (const auto& port : info.inputs)
      if (&port == info.input(port.name)) ports.push_back(port.name);
    const auto parameters = parameter_names(info);
    return "its parameters are: " + (parameters.empty() ? "none" : enumerate(parameters)) +
           "; its inputs: " + (ports.empty() ? "none" : enumerate(ports));
  }

  /// `port` is the first input of its name; others of that name are alternatives.
  void read_input(const ComponentInfo& info, const PortInfo& port,
                  const std::set<std::string>& meant) {
    const YamlEntry* entry = body_.find(port.name);
    if (!entry) {
      if (!port.required) return;
      node_.complete = false;
      if (meant.contains(port.name)) return;
      add_missing(info, port.name);
      problems_.error(node_.place,
                      node_.component.config.id + " needs the input '" + port.name + "'" +
                          (port.documentation.empty() ? "" : " (" + port.documentation + ")"),
                      "add " + port.name + ": NODE, where NODE gives " + phrase(info, port.name));
      return;
    }
    Link link{&port, {}};
    if (read_references(port, entry->value, link)) {
      node_.links.push_back(std::move(link));
    } else {
      node_.complete = false;
      add_missing(info, port.name);
      mention(entry->value);
    }
  }

  void add_missing(const ComponentInfo& info, const std::string& input) {
    for (const PortInfo& port : info.inputs)
      if (port.name == input) node_.missing.insert(port.type);
  }

  bool read_references(const PortInfo& port, const YamlNode& value, Link& link) {
    if (value.is_scalar()) {
      link.nodes.push_back({value.text, value.place});
      return true;
    }
    if (value.is_invalid()) return false;
    const std::string input = "'" + port.name + "' of " + node_.component.config.id;
    if (!value.is_list()) {
      problems_.error(value.place, input + " must name a node, got " + value.describe());
      return false;
    }
    if (value.items.empty()) {
      problems_.error(value.place, input + " names no node: the list is empty");
      return false;
    }
    if (!port.many) {
      problems_.error(value.place, input + " takes one node, not a list",
                      value.items.size() == 1 && value.items[0].is_scalar()
                          ? "write " + port.name + ": " + value.items[0].text
                      : port.type == PortType::samples ? "a normalizer takes several and joins them"
                                                       : "");
      return false;
    }
    bool sound = true;
    for (const YamlNode& item : value.items) {
      if (item.is_scalar()) {
        link.nodes.push_back({item.text, item.place});
        continue;
      }
      sound = false;
      if (!item.is_invalid())
        problems_.error(item.place, input + " is a list of nodes, got " + item.describe());
    }
    return sound;
  }

  /// Records all texts in a part that could not be understood.
  void mention(const YamlNode& value) {
    if (value.is_scalar()) node_.mentions.push_back(value.text);
    for (const auto& item : value.items) mention(item);
    for (const auto& entry : value.entries) mention(entry.value);
  }

  NodeSpecification node_;
  const YamlNode& body_;
  const Catalogue& catalogue_;
  ComponentReader& components_;
  Problems& problems_;
};

}  // namespace

NodeSpecification read_node(const YamlEntry& entry, const Catalogue& catalogue,
                            ComponentReader& components, Problems& problems) {
  return NodeReader(entry, catalogue, components, problems).read();
}

std::optional<std::uint64_t> read_seed(const YamlNode& node, Problems& problems) {
  if (node.is_invalid()) return std::nullopt;
  Refusal refusal;
  const auto seed = read_natural(node, refusal);
  if (!seed) problems.error(node.place, "'seed' " + refusal.problem, refusal.help);
  return seed;
}

}  // namespace semblance
