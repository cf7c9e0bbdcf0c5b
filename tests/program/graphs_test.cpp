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

TEST_CASE("test graphs and new graphs have the same scores, and those like no other are counted") {
  const Workplace work;
  work.file("train.jsonl", chains_and_rings(30));
  std::string fresh = chains_and_rings(9);
  for (const char* const from : {"\"C\"", "\"N\""})
    fresh += R"({"nodes": ["P", "S", )" + std::string(from) +
             R"(, "C", "C", "C", "C", "C", "C", "C", "C", "C"], "edges": [[0,1],[1,2],[2,3],[3,4],)"
             R"([4,5],[5,6],[6,7],[7,8],[8,9],[9,10],[10,11]], "label": "chain"})"
             "\n";
  fresh += R"({"nodes": ["P", "S"], "edges": [[0, 1]], "label": "chain"})"
           "\n";
  work.file("new.jsonl", fresh);
  const std::string pipeline = R"(name: p
nodes:
  graphs: {is: source/graphs, path: train.jsonl}
  wl:     {is: normalizer/weisfeiler_lehman, depth: 2, from: graphs}
  paths:  {is: feature/shortest_paths, from: graphs}
  linear: {is: solver/linear_svm, from: wl}
  kernel: {is: solver/kernel_svm, kernel: {is: similarity/linear}, C: 100, from: paths}
)";
  work.file("p.yaml", pipeline);
  work.succeed("run p.yaml --data . --no-cache --out run --set nodes.graphs.test_path=new.jsonl");
  work.succeed("run p.yaml --data . --no-cache --out alone");
  const Workplace::Outcome predicted = work.succeed("predict alone/model new.jsonl --out new");
  for (const char* machine : {"linear.npy", "kernel.npy"})
    CHECK(work.content(std::string("run/predictions/") + machine) ==
          work.content(std::string("new/") + machine));
  const std::string log = work.content("run/run.log");
  for (const char* node : {"wl: ", "paths: "}) {
    const std::string said = node + std::string("1 row has nothing in common with the training");
    CHECK(log.find(said) != std::string::npos);
    CHECK(predicted.output.find(said) != std::string::npos);
  }
  CHECK(log.find("the first: row 11 of the test data") != std::string::npos);
  CHECK(predicted.output.find("the first: row 11 of the new data") != std::string::npos);
}

TEST_CASE(
    "test strings and new strings have the same scores, and those like no other are counted") {
  const Workplace work;
  std::string train, fresh;
  for (int i = 0; i < 20; ++i) {
    train += (i % 2 == 0 ? "a\tabba" : "b\tbaab") +
             std::string(static_cast<std::size_t>(i % 3), 'a') + "\n";
    fresh += (i % 2 == 0 ? "a\tabzba" : "b\tyaab") +
             std::string(static_cast<std::size_t>(i % 3), 'z') + "\n";
  }
  work.file("train.tsv", train);
  work.file("new.tsv", fresh + "a\txyzxy\n");
  work.file("p.yaml", R"(name: p
nodes:
  strings: {is: source/strings, path: train.tsv}
  words:   {is: feature/spectrum, shortest: 2, longest: 2, from: strings}
  near:    {is: feature/spectrum, shortest: 2, longest: 3, mismatch: 1, from: strings}
  svm:     {is: solver/linear_svm, from: words}
  kernel:  {is: solver/kernel_svm, kernel: {is: similarity/linear}, from: near}
)");
  work.succeed("run p.yaml --data . --no-cache --out run --set nodes.strings.test_path=new.tsv");
  work.succeed("run p.yaml --data . --no-cache --out alone");
  const Workplace::Outcome predicted = work.succeed("predict alone/model new.tsv --out new");
  for (const char* machine : {"svm.npy", "kernel.npy"})
    CHECK(work.content(std::string("run/predictions/") + machine) ==
          work.content(std::string("new/") + machine));
  CHECK(work.content("run/run.log").find("words: 1 row has nothing in common") !=
        std::string::npos);
  CHECK(predicted.output.find("the first: row 20 of the new data") != std::string::npos);
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
