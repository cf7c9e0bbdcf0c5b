// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace graphs_test {

using namespace semblance::testing;

// Graphs, from lines of JSON to the scores of new ones.

namespace {

/// Chains and rings with one to three neighbours of another label.
std::string chains_and_rings(int count, bool labels = true) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const int nodes = 4 + i % 5;
    nlohmann::json graph = {{"nodes", nlohmann::json::array()}, {"edges", nlohmann::json::array()}};
    for (int v = 0; v < nodes; ++v) {
      graph["nodes"].push_back((v + i) % 3 == 0 ? "N" : "C");
      if (v > 0) graph["edges"].push_back({v - 1, v});
    }
    if (i % 2 == 0) graph["edges"].push_back({nodes - 1, 0});
    if (labels) graph["label"] = i % 2 == 0 ? "ring" : "chain";
    text += graph.dump() + "\n";
  }
  return text;
}

const std::string machines = R"(name: p
nodes:
  graphs: {is: source/graphs, path: graphs.jsonl, test_fraction: 0.4}
  wl:     {is: normalizer/weisfeiler_lehman, depth: 2, from: graphs}
  x:      {is: normalizer/unit_length, from: wl}
  paths:  {is: feature/shortest_paths, from: graphs}
  bases:  {is: basis/random, count: 20, from: graphs}
  map:    {is: similarity/rbf, gamma: 1, from: paths, bases: bases}
  linear: {is: solver/linear_svm, from: x}
  kernel: {is: solver/kernel_svm, kernel: {is: similarity/linear}, C: 100, from: paths}
  svm:    {is: solver/linear_svm, from: map}
  edits:  {is: similarity/graph_edit, from: graphs, bases: bases}
  near:   {is: solver/nearest_neighbour, from: edits}
  krein:  {is: solver/kernel_svm, kernel: {is: similarity/graph_edit, as: exponential}, repair: krein, from: graphs}
  linear_test: {is: evaluator/classification, from: linear}
  kernel_test: {is: evaluator/classification, from: kernel}
  map_test:    {is: evaluator/classification, from: svm}
  near_test:   {is: evaluator/classification, from: near}
  krein_test:  {is: evaluator/classification, from: krein}
)";

}  // namespace

TEST_CASE("machines on graphs: threads, store and model give the same bits") {
  const Workplace work;
  work.file("graphs.jsonl", chains_and_rings(60));
  work.file("p.yaml", machines);
  work.succeed("run p.yaml --data . --no-cache --threads 1 --out one");
  for (const char* test : {"linear_test", "kernel_test", "map_test", "near_test", "krein_test"})
    CHECK(work.metrics("one").at("nodes").at(test).at("accuracy").get<double>() > 0.6);
  work.succeed("run p.yaml --data . --threads 2 --out two");
  work.succeed("run p.yaml --data . --threads 2 --out stored");
  work.succeed("predict one/model graphs.jsonl --out all");
  work.file("unknown.jsonl", chains_and_rings(60, false));
  work.succeed("predict one/model unknown.jsonl --out unknown");
  for (const char* machine : {"linear.npy", "kernel.npy", "svm.npy", "near.npy", "krein.npy"}) {
    const std::string bits = work.content(std::string("one/predictions/") + machine);
    CHECK(work.content(std::string("two/predictions/") + machine) == bits);
    CHECK(work.content(std::string("stored/predictions/") + machine) == bits);
    CHECK(work.content(std::string("unknown/") + machine) ==
          work.content(std::string("all/") + machine));
  }
}

TEST_CASE("new graphs may be larger than those trained on, and have new labels") {
  const Workplace work;
  work.file("graphs.jsonl", chains_and_rings(60));
  work.file("p.yaml", machines);
  work.succeed("run p.yaml --data . --out run");
  work.file("new.jsonl", R"({"nodes": ["C", "C", "P", "C", "C", "C", "C", "C", "C", "C", "C", "C"],
 "edges": [[0, 1]]})");
  work.expect("predict run/model new.jsonl --out new", 1, "line 1: is not JSON; ");
  std::string nodes, edges;
  for (int v = 0; v < 40; ++v) {
    nodes += std::string(v == 0 ? "" : ", ") + (v == 7 ? "\"P\"" : "\"C\"");
    if (v > 0)
      edges += (v == 1 ? "[" : ", [") + std::to_string(v - 1) + ", " + std::to_string(v) + "]";
  }
  work.file("new.jsonl", "{\"nodes\": [" + nodes + "], \"edges\": [" + edges + "]}\n");
  work.succeed("predict run/model new.jsonl --out new");
  CHECK(work.content("new/linear.csv").find("chain") != std::string::npos);
}

TEST_CASE("graphs are refused where vectors are needed, with what makes vectors of them") {
  const Workplace work;
  work.file("p.yaml",
            "name: p\nnodes:\n  graphs: {is: source/random_graphs}\n  svm: {is: solver/linear_svm, "
            "from: graphs}\n  test: {is: evaluator/classification, from: svm}\n");
  work.expect("check p.yaml", 2, "but 'graphs' gives a graph");
  work.expect("check p.yaml", 2,
              "a graph becomes one by feature/graphlets, feature/shortest_paths and "
              "normalizer/weisfeiler_lehman");
}

TEST_CASE("a fold's colours are those of its training graphs") {
  const Workplace work;
  work.file("graphs.jsonl", chains_and_rings(60));
  work.file("p.yaml", R"(name: p
nodes:
  graphs: {is: source/graphs, path: graphs.jsonl}
  wl:     {is: normalizer/weisfeiler_lehman, from: graphs}
  svm:    {is: solver/linear_svm, from: wl}
  test:   {is: evaluator/classification, from: svm}
select:
  metric: test.accuracy
  folds: 3
  parameters:
    depth: {path: nodes.wl.depth, values: [0, 2]}
)");
  work.succeed("run p.yaml --data . --out run");
  CHECK(work.content("run/run.log").find("40 training graphs") != std::string::npos);
}

}  // namespace graphs_test
