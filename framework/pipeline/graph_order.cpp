// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <queue>

#include "pipeline/graph.hpp"

namespace semblance {
namespace {

/// Follows unsorted feeders from `start` until a node repeats: each unsorted node is on a cycle or
/// follows one. `state` prevents repeated walks.
std::vector<const Edge*> find_cycle(std::size_t start, const Graph& graph,
                                    const std::vector<char>& sorted, std::vector<char>& state) {
  enum : char { fresh, on_walk, done };
  std::vector<std::size_t> walk;
  std::vector<const Edge*> edges;
  std::size_t node = start;
  while (state[node] == fresh) {
    state[node] = on_walk;
    walk.push_back(node);
    const auto& inputs = graph.inputs[node];
    const auto next =
        std::find_if(inputs.begin(), inputs.end(), [&](const Edge& e) { return !sorted[e.node]; });
    edges.push_back(&*next);
    node = next->node;
  }
  const bool cycle = state[node] == on_walk;
  for (const std::size_t visited : walk) state[visited] = done;
  if (!cycle) return {};
  const auto first = std::find(walk.begin(), walk.end(), node) - walk.begin();
  return {edges.begin() + first, edges.end()};
}

/// The walk went against the flow; the message follows the flow.
void report_cycle(std::vector<const Edge*> edges, const Specification& specification,
                  Problems& problems) {
  std::reverse(edges.begin(), edges.end());
  const auto first = std::min_element(
      edges.begin(), edges.end(), [](const Edge* a, const Edge* b) { return a->node < b->node; });
  std::rotate(edges.begin(), first, edges.end());
  std::string text;
  for (const Edge* edge : edges) text += specification.nodes[edge->node].name + " -> ";
  text += specification.nodes[edges.front()->node].name;
  problems.error(edges.back()->place, "these nodes form a cycle: " + text,
                 "a node can only use what is computed before it");
}

}  // namespace

void sort_graph(const Specification& specification, Graph& graph, Problems& problems) {
  const std::size_t count = graph.inputs.size();
  std::vector<std::size_t> waiting(count, 0);
  std::vector<std::vector<std::size_t>> feeds(count);
  for (std::size_t i = 0; i < count; ++i) {
    waiting[i] = graph.inputs[i].size();
    for (const Edge& edge : graph.inputs[i]) feeds[edge.node].push_back(i);
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < count; ++i)
    if (waiting[i] == 0) ready.push(i);
  std::vector<char> sorted(count, 0);
  while (!ready.empty()) {
    const std::size_t node = ready.top();
    ready.pop();
    sorted[node] = 1;
    graph.order.push_back(node);
    for (const std::size_t next : feeds[node])
      if (--waiting[next] == 0) ready.push(next);
  }
  std::vector<char> state(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (sorted[i]) continue;
    auto cycle = find_cycle(i, graph, sorted, state);
    if (!cycle.empty()) report_cycle(std::move(cycle), specification, problems);
  }
}

}  // namespace semblance
