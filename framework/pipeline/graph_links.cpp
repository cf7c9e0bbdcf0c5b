// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <unordered_map>

#include "pipeline/graph.hpp"
#include "pipeline/specification/component_lookup.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

constexpr std::size_t most_listed = 6;

class Connector {
 public:
  Connector(const Specification& specification, const Catalogue& catalogue, Problems& problems)
      : nodes_(specification.nodes), catalogue_(catalogue), problems_(problems) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      index_.emplace(nodes_[i].name, i);
      names_.push_back(nodes_[i].name);
    }
    graph_.inputs.resize(nodes_.size());
    graph_.used.resize(nodes_.size());
    graph_.sound.resize(nodes_.size());
    graph_.layouts.resize(nodes_.size());
    graph_.origin.resize(nodes_.size());
  }

  Graph connect() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      graph_.sound[i] = nodes_[i].complete ? 1 : 0;
      for (const auto& text : nodes_[i].mentions) use(text);
      for (const Link& link : nodes_[i].links) connect(i, link);
    }
    return std::move(graph_);
  }

 private:
  void use(const std::string& name) {
    if (const auto found = index_.find(name); found != index_.end()) graph_.used[found->second] = 1;
  }

  void connect(std::size_t node, const Link& link) {
    std::set<std::string_view> seen;
    for (const Reference& reference : link.nodes) {
      if (!seen.insert(reference.name).second) {
        problems_.error(reference.place, quote(reference.name) + " appears twice in this list",
                        "remove one of them");
        graph_.sound[node] = 0;
      } else if (const auto feeder = resolve(node, link, reference)) {
        const ComponentInfo* from = info_of(nodes_[*feeder]);
        const PortInfo* port = from ? taking(node, *from, *link.port) : link.port;
        graph_.inputs[node].push_back({*feeder, port, reference.place});
      } else {
        graph_.sound[node] = 0;
      }
    }
  }

  /// The named node, if it can feed the input; nothing: reported.
  std::optional<std::size_t> resolve(std::size_t node, const Link& link,
                                     const Reference& reference) {
    const auto found = index_.find(reference.name);
    if (found == index_.end()) {
      report_unknown(node, link, reference);
      return std::nullopt;
    }
    graph_.used[found->second] = 1;
    if (found->second == node) {
      problems_.error(reference.place, "node " + quote(reference.name) + " feeds itself");
      want(node, link);
      return std::nullopt;
    }
    if (!check_type(node, found->second, link, reference)) return std::nullopt;
    return found->second;
  }

  void report_unknown(std::size_t node, const Link& link, const Reference& reference) {
    std::vector<std::string> others;
    if (!problems_.full()) {
      others = names_;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(node));
    }
    const auto suggestion = closest(reference.name, others);
    std::string help;
    if (suggestion) {
      help = "did you mean '" + *suggestion + "'?";
      use(*suggestion);
    } else if (catalogue_.find(reference.name)) {
      help = "this is a component; write the name of a node";
    } else if (others.size() <= most_listed && !others.empty()) {
      help = "the other nodes are " + enumerate(others);
    }
    if (!suggestion) want(node, link);
    problems_.error(reference.place, "unknown node " + quote(reference.name), help);
  }

  /// The input of this name that takes what the feeder gives; nullptr: none.
  const PortInfo* taking(std::size_t node, const ComponentInfo& feeder,
                         const PortInfo& port) const {
    for (const PortInfo& each : info_of(nodes_[node])->inputs)
      if (each.name == port.name && each.type == feeder.output->type) return &each;
    return nullptr;
  }

  /// It was meant to take another node's output.
  void want(std::size_t node, const Link& link) {
    for (const PortInfo& each : info_of(nodes_[node])->inputs)
      if (each.name == link.port->name) graph_.wanting.insert(each.type);
  }

  /// An unknown component may give anything.
  bool check_type(std::size_t node, std::size_t feeder, const Link& link,
                  const Reference& reference) {
    const ComponentInfo* from = info_of(nodes_[feeder]);
    if (!from) graph_.sound[node] = 0;
    if (!from || taking(node, *from, *link.port)) return true;
    want(node, link);
    problems_.error(reference.place,
                    "'" + link.port->name + "' of " + nodes_[node].component.config.id + " takes " +
                        phrase(*info_of(nodes_[node]), link.port->name) + ", but " +
                        quote(reference.name) + " (" + from->id + ") gives " +
                        phrase(from->output->type),
                    help_with_type(node, *from, *link.port));
    return false;
  }

  /// What to write if a node takes `port`, but `from` gives another type.
  std::string help_with_type(std::size_t node, const ComponentInfo& from,
                             const PortInfo& port) const {
    if (problems_.full()) return "";
    const ComponentInfo* info = info_of(nodes_[node]);
    // Results differ by what the solver learns from; so do the components that judge them.
    if (info && from.kind() == "solver")
      if (const std::string takers = that_take(from.output->type, *info); !takers.empty())
        return phrase(from.output->type) + " are taken by " + takers;
    return who_gives(port.type, node, from);
  }

  /// The components of the same kind that take this type.
  std::string that_take(PortType type, const ComponentInfo& instead) const {
    std::vector<std::string> ids;
    for (const auto* entry : catalogue_.entries())
      if (entry->info.kind() == instead.kind() &&
          std::ranges::count(entry->info.inputs, type, &PortInfo::type) > 0)
        ids.push_back(entry->info.id);
    return enumerate_alternatives(instead.id, ids);
  }

  /// Nodes that give this type, or kinds of components that do; if that is the kind of `instead`,
  /// its components.
  std::string who_gives(PortType type, std::size_t except, const ComponentInfo& instead) const {
    std::vector<std::string> found, ids;
    for (std::size_t i = 0; i < nodes_.size() && found.size() < most_listed; ++i) {
      const ComponentInfo* info = info_of(nodes_[i]);
      if (i != except && info && info->output->type == type) found.push_back(nodes_[i].name);
    }
    if (!found.empty()) return "nodes that give " + phrase(type) + ": " + enumerate(found);
    for (const auto* entry : catalogue_.entries()) {
      const auto& info = entry->info;
      if (!info.output || info.output->type != type) continue;
      if (info.kind() == instead.kind()) ids.push_back(info.id);
      if (std::find(found.begin(), found.end(), info.kind()) == found.end())
        found.emplace_back(info.kind());
    }
    if (!ids.empty())
      return phrase(type) + " can come from " + enumerate_alternatives(instead.id, ids);
    return found.empty() ? "" : phrase(type) + " can come from a node of kind " + enumerate(found);
  }

  const std::vector<NodeSpecification>& nodes_;
  const Catalogue& catalogue_;
  Problems& problems_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::string> names_;
  Graph graph_;
};

}  // namespace

Graph connect(const Specification& specification, const Catalogue& catalogue, Problems& problems) {
  return Connector(specification, catalogue, problems).connect();
}

}  // namespace semblance
