// SPDX-License-Identifier: MIT
#include "runtime/nodes/kinds.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "semblance/error.hpp"

namespace semblance {

// One file a kind makes them.
std::unique_ptr<Node> make_source_node();
std::unique_ptr<Node> make_feature_node();
std::unique_ptr<Node> make_normalizer_node();
std::unique_ptr<Node> make_basis_node();
std::unique_ptr<Node> make_similarity_node();
std::unique_ptr<Node> make_pairs_node();
std::unique_ptr<Node> make_solver_node();
std::unique_ptr<Node> make_pair_solver_node();
std::unique_ptr<Node> make_score_evaluator_node();
std::unique_ptr<Node> make_sample_evaluator_node();
std::unique_ptr<Node> make_pair_evaluator_node();

namespace {

template <PortType output>
bool is_solver(const ComponentInfo& info) {
  return info.kind() == "solver" && info.output && info.output->type == output;
}

template <PortType input>
bool is_evaluator(const ComponentInfo& info) {
  return info.kind() == "evaluator" && info.inputs.at(0).type == input;
}

std::vector<NodeKind>& kinds_of_nodes() {
  static std::vector<NodeKind> all = {
      {[](const ComponentInfo& info) { return info.kind() == "source"; }, make_source_node},
      {[](const ComponentInfo& info) { return info.kind() == "feature"; }, make_feature_node},
      {[](const ComponentInfo& info) { return info.kind() == "normalizer"; }, make_normalizer_node},
      {[](const ComponentInfo& info) { return info.kind() == "basis"; }, make_basis_node},
      {[](const ComponentInfo& info) { return info.kind() == "similarity"; }, make_similarity_node},
      {[](const ComponentInfo& info) { return info.kind() == "pairs"; }, make_pairs_node},
      {is_solver<PortType::scores>, make_solver_node},
      {is_solver<PortType::pair_scores>, make_pair_solver_node},
      {is_evaluator<PortType::scores>, make_score_evaluator_node},
      {is_evaluator<PortType::samples>, make_sample_evaluator_node},
      {is_evaluator<PortType::pair_scores>, make_pair_evaluator_node},
  };
  return all;
}

}  // namespace

void add_node_kind(NodeKind kind) { kinds_of_nodes().push_back(kind); }

std::unique_ptr<Node> make_node(const ComponentInfo& component) {
  for (const NodeKind& kind : kinds_of_nodes())
    if (kind.takes(component)) return kind.make();
  throw Error("a component of kind '" + std::string(component.kind()) +
              "' cannot be a node of a pipeline");
}

}  // namespace semblance
