// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "report/metrics.hpp"
#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using html::escaped;

constexpr std::size_t most_components = 4;

/// Nodes that share a row of the tree, and what they took together.
struct Group {
  std::string name;
  std::vector<const NodeRecord*> nodes;
  double seconds = 0;
  std::size_t bytes = 0;
  std::size_t cached = 0;

  void add(const NodeRecord& node) {
    nodes.push_back(&node);
    if (node.seconds > 0) seconds += node.seconds;
    bytes += node.bytes;
    cached += node.cached ? 1 : 0;
  }
};

Group all_of(const std::vector<const NodeRecord*>& nodes) {
  Group all;
  for (const NodeRecord* node : nodes) all.add(*node);
  return all;
}

/// The nodes by a name, the slowest group first.
std::vector<Group> grouped(const std::vector<const NodeRecord*>& nodes,
                           const std::function<std::string_view(const NodeRecord&)>& name_of) {
  std::vector<Group> groups;
  for (const NodeRecord* node : nodes) {
    auto group = std::ranges::find(groups, name_of(*node), &Group::name);
    if (group == groups.end())
      group = groups.insert(groups.end(), Group{.name = std::string(name_of(*node)), .nodes = {}});
    group->add(*node);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &Group::seconds);
  return groups;
}

/// The name before variants were merged: "svm" of "svm[10,seed=1]".
std::string_view name_in_pipeline(const NodeRecord& node) {
  return std::string_view(node.name).substr(0, node.name.find('['));
}

/// "cell 8, bins 9".
std::string parameters_text(const nlohmann::ordered_json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    if (!text.empty()) text += ", ";
    text += name + " ";
    text += value.is_string()
                ? value.get<std::string>()
                : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  return text;
}

std::string share_text(double part, double whole) {
  if (!(part > 0)) return "–";
  const double share = 100 * part / whole;
  return share < 0.5 ? "<1%" : fmt::format("{:.0f}%", share);
}

/// Time, bytes and their shares of the whole run.
std::string columns(const Group& group, const Group& run) {
  const double share = run.seconds > 0 ? group.seconds / run.seconds : 0;
  const auto bytes = static_cast<double>(group.bytes);
  return fmt::format(
      R"(<span class="bar"><i style="width:{:.1f}%"></i></span><span class="number">{}</span>)"
      R"(<span class="number share">{}</span><span class="number kept">{}</span>)"
      R"(<span class="number kept share">{}</span>)",
      100 * share, escaped(seconds_text(group.seconds)), share_text(group.seconds, run.seconds),
      group.bytes > 0 ? bytes_text(bytes) : "–", share_text(bytes, static_cast<double>(run.bytes)));
}

/// Whether it comes from the store, and since when: its reported times are of that run.
std::string state_of_one(const NodeRecord& node) {
  std::string text = node.cached ? R"( <span class="pill">cached</span>)" : "";
  if (node.measured)
    text += fmt::format(R"( <span class="detail" title="{}">from {}</span>)",
                        escaped(node.measured->processor), escaped(measured_text(*node.measured)));
  const std::string parameters = parameters_text(node.parameters);
  if (!parameters.empty())
    text += fmt::format(R"(<span class="detail">{}</span>)", escaped(parameters));
  return text;
}

std::string state_of_many(const Group& group) {
  std::string text;
  if (group.cached > 0) text = fmt::format(R"( <span class="pill">{} cached</span>)", group.cached);
  const NodeRecord& slowest =
      **std::ranges::max_element(group.nodes, {}, [](const auto* node) { return node->seconds; });
  text += fmt::format(R"(<span class="detail">{} nodes)", group.nodes.size());
  if (slowest.seconds > 0)
    text += fmt::format("; the slowest, {}, took {}", escaped(slowest.name),
                        escaped(seconds_text(slowest.seconds)));
  return text + "</span>";
}

/// The components of the nodes: a slot of a study may vary them.
std::string components(const Group& group) {
  const std::vector<Group> different =
      grouped(group.nodes, [](const NodeRecord& node) { return std::string_view(node.component); });
  std::string text;
  for (std::size_t i = 0; i < different.size() && i < most_components; ++i)
    text += fmt::format(R"( <code title="{}">{}</code>)",
                        escaped(different[i].nodes.front()->summary), escaped(different[i].name));
  if (different.size() > most_components)
    text += fmt::format(" and {} more", different.size() - most_components);
  return text;
}

std::string node_row(const Group& group, const Group& run) {
  return fmt::format(
      R"(<div class="row"><span class="what"><span class="name">{}</span>{}{}</span>{}</div>)",
      escaped(group.name), components(group),
      group.nodes.size() == 1 ? state_of_one(*group.nodes.front()) : state_of_many(group),
      columns(group, run));
}

std::string kind_rows(const Group& kind, const Group& run) {
  std::string out = fmt::format(
      R"(<details><summary class="row"><span class="what"><span class="name">{}</span></span>{})"
      "</summary>",
      escaped(kind.name), columns(kind, run));
  for (const Group& group : grouped(kind.nodes, name_in_pipeline)) out += node_row(group, run);
  return out + "</details>\n";
}

}  // namespace

std::string timing_tree_html(const RunRecord& run) {
  if (run.nodes.empty()) return "";
  std::vector<const NodeRecord*> nodes;
  for (const NodeRecord& node : run.nodes) nodes.push_back(&node);
  const Group all = all_of(nodes);
  std::string out =
      R"(<div class="tree"><div class="row head"><span class="what">Kind, and its nodes</span>)"
      R"(<span class="bar none"></span><span class="number">Busy</span>)"
      R"(<span class="number share"></span><span class="number kept">Kept</span>)"
      R"(<span class="number kept share"></span></div>)";
  for (const Group& kind : grouped(nodes, [](const NodeRecord& node) { return node.kind(); }))
    out += kind_rows(kind, all);
  return out +
         fmt::format(
             R"(</div><p class="note">{} node{} {} busy for {} in total, summed over {} thread{}, )"
             R"(and the run took {}{}. Outputs of {} are kept.</p>)",
             nodes.size(), nodes.size() == 1 ? "" : "s", nodes.size() == 1 ? "was" : "were",
             escaped(seconds_text(all.seconds)), run.threads, run.threads == 1 ? "" : "s",
             escaped(seconds_text(run.wall_seconds)),
             run.choosing_seconds > 0 ? ", of which choosing parameters took " +
                                            escaped(seconds_text(run.choosing_seconds))
                                      : "",
             bytes_text(static_cast<double>(all.bytes)));
}

}  // namespace semblance
