// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pipeline/graph.hpp"
#include "registry/parts_of_pairs.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

const LayoutInfo& info_of(LayoutKind kind) { return layouts().at(static_cast<std::size_t>(kind)); }

std::string layout_names(const std::vector<LayoutKind>& kinds) {
  std::string text;
  for (const LayoutKind kind : kinds) {
    const LayoutInfo& info = info_of(kind);
    text += std::string(text.empty() ? "" : " or ") + info.article + " " + info.name;
  }
  return text;
}

bool share(const std::vector<LayoutKind>& a, const std::vector<LayoutKind>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

bool all_ragged(const std::vector<LayoutKind>& kinds) {
  return !kinds.empty() &&
         std::ranges::all_of(kinds, [](LayoutKind kind) { return info_of(kind).example.ragged(); });
}

/// Whether it takes samples of one of the kinds `from`, and makes samples of one of the kinds `to`.
bool converts(const ComponentInfo& info, const std::vector<LayoutKind>& from,
              const std::vector<LayoutKind>& to) {
  return info.inputs.size() == 1 && info.output && info.output->type == PortType::samples &&
         info.inputs[0].type == PortType::samples && share(info.inputs[0].layouts, from) &&
         share(info.output->layouts, to);
}

class Propagation {
 public:
  Propagation(const Specification& specification, const Catalogue& catalogue, Graph& graph,
              Problems& problems)
      : nodes_(specification.nodes), catalogue_(catalogue), graph_(graph), problems_(problems) {}

  void run() {
    for (const std::size_t node : graph_.order) {
      if (!info_of(nodes_[node])) continue;
      check_layouts(node);
      check_parts(node);
      if (graph_.sound[node]) graph_.layouts[node] = layouts(node);
      find_origin(node);
    }
  }

 private:
  /// The only node whose layout this one passes on, if any.
  const Edge* passed_on(std::size_t node) const {
    const ComponentInfo& info = *info_of(nodes_[node]);
    if (info.output->type != PortType::samples || !info.output->layouts.empty()) return nullptr;
    const Edge* first = nullptr;
    for (const Edge& edge : graph_.inputs[node]) {
      if (edge.port->type != PortType::samples) continue;
      if (!first)
        first = &edge;
      else if (edge.port == first->port)
        return nullptr;
    }
    return first;
  }

  std::vector<LayoutKind> layouts(std::size_t node) const {
    const ComponentInfo& info = *info_of(nodes_[node]);
    if (info.output->type != PortType::samples || !info.output->layouts.empty())
      return info.output->layouts_with(nodes_[node].component.config.values, info.output->layouts);
    if (const Edge* edge = passed_on(node)) return graph_.layouts[edge->node];
    // Several inputs are concatenated; a source without a declaration may give anything.
    if (graph_.inputs[node].size() > 1) return {LayoutKind::vector};
    return {};
  }

  void check_layouts(std::size_t node) {
    for (const Edge& edge : graph_.inputs[node]) {
      const auto& given = graph_.layouts[edge.node];
      const auto wanted =
          edge.port->layouts_with(nodes_[node].component.config.values, edge.port->layouts_taken());
      const ComponentInfo* from = info_of(nodes_[edge.node]);
      if (edge.port->type != PortType::samples || !from ||
          from->output->type != PortType::samples || wanted.empty() || given.empty() ||
          share(given, wanted))
        continue;
      problems_.error(edge.place,
                      "'" + edge.port->name + "' of " + nodes_[node].component.config.id +
                          " needs samples that are each " + layout_names(wanted) + ", but " +
                          quote(nodes_[edge.node].name) + " gives " + layout_names(given),
                      explain(edge.node, wanted));
      graph_.sound[node] = 0;
      graph_.wanting.insert(PortType::samples);
    }
  }

  /// Nested components that compare, such as kernels, get the same samples. Those of a pair's parts
  /// are checked when the layouts of the parts are known.
  void check_parts(std::size_t node) {
    if (takes_pairs_only(*info_of(nodes_[node]))) return;
    for (const Edge& edge : graph_.inputs[node]) {
      if (edge.port->type != PortType::samples || graph_.layouts[edge.node].empty()) continue;
      const ComponentConfig& config = nodes_[node].component.config;
      for (const auto& [parameter, part] : config.parts) check_part(node, edge, parameter, part);
    }
  }

  void check_part(std::size_t node, const Edge& edge, const std::string& parameter,
                  const ComponentConfig& part) {
    const auto* entry = catalogue_.find(part.id);
    if (!entry || entry->info.inputs.empty()) return;
    const PortInfo& port = entry->info.inputs.front();
    // A port without a declaration is for samples of one size; its component reports which of these
    // it cannot take.
    const bool says = !port.layouts.empty() || all_ragged(graph_.layouts[edge.node]);
    if (port.type == PortType::samples && says &&
        !share(graph_.layouts[edge.node], port.layouts_with(part.values, port.layouts_taken()))) {
      problems_.error(edge.place,
                      "'" + parameter + "' of " + nodes_[node].component.config.id + " is " +
                          part.id + ", which needs samples that are each " +
                          layout_names(port.layouts_taken()) + ", but " +
                          quote(nodes_[edge.node].name) + " gives " +
                          layout_names(graph_.layouts[edge.node]),
                      "choose one that takes " + layout_names(graph_.layouts[edge.node]));
      graph_.sound[node] = 0;
      return;
    }
    if (takes_pairs_only(entry->info)) return;
    for (const auto& [name, inner] : part.parts) check_part(node, edge, name, inner);
  }

  /// Explains which node the layout comes from, and which components give the wanted one.
  std::string explain(std::size_t node, const std::vector<LayoutKind>& wanted) const {
    std::size_t giver = node;
    while (const Edge* edge = passed_on(giver)) giver = edge->node;
    std::string text;
    if (giver != node)
      text = quote(nodes_[giver].name) + " (" + nodes_[giver].component.config.id + ") gives " +
             layout_names(graph_.layouts[giver]) + ", which the nodes in between pass on; ";
    std::vector<std::string> ids;
    if (all_ragged(graph_.layouts[node])) {
      // Few components accept such samples: names those that convert them to the wanted ones.
      for (const auto* entry : catalogue_.entries())
        if (converts(entry->info, graph_.layouts[node], wanted)) ids.push_back(entry->info.id);
      if (!ids.empty())
        return text + layout_names(graph_.layouts[node]) + " becomes one by " + enumerate(ids);
    }
    for (const auto* entry : catalogue_.entries()) {
      const auto& output = entry->info.output;
      if (output && output->type == PortType::samples && share(output->layouts, wanted))
        ids.push_back(entry->info.id);
    }
    if (ids.empty()) return text + "no installed component gives " + layout_names(wanted);
    return text + layout_names(wanted) + " can come from " + enumerate(ids);
  }

  /// All inputs of a node must have samples of the same source.
  void find_origin(std::size_t node) {
    if (graph_.inputs[node].empty()) {
      if (graph_.sound[node]) graph_.origin[node] = node;
      return;
    }
    const Edge* first = nullptr;
    bool known = true;
    for (const Edge& edge : graph_.inputs[node]) {
      const auto& origin = graph_.origin[edge.node];
      if (!origin) {
        known = false;
      } else if (!first) {
        first = &edge;
      } else if (*origin != *graph_.origin[first->node]) {
        report_mixture(node, *first, edge);
        return;
      }
    }
    if (known && graph_.sound[node]) graph_.origin[node] = graph_.origin[first->node];
  }

  void report_mixture(std::size_t node, const Edge& a, const Edge& b) {
    const auto describe = [this](const Edge& edge) {
      const std::size_t source = *graph_.origin[edge.node];
      const std::string own = quote(nodes_[edge.node].name);
      return source == edge.node ? own + " is itself a source"
                                 : own + " has rows of " + quote(nodes_[source].name);
    };
    problems_.error(b.place,
                    "the inputs of " + quote(nodes_[node].name) +
                        " come from different sources: " + describe(a) + ", " + describe(b),
                    "take both from the same source");
  }

  const std::vector<NodeSpecification>& nodes_;
  const Catalogue& catalogue_;
  Graph& graph_;
  Problems& problems_;
};

}  // namespace

void propagate(const Specification& specification, const Catalogue& catalogue, Graph& graph,
               Problems& problems) {
  Propagation(specification, catalogue, graph, problems).run();
}

}  // namespace semblance
