// SPDX-License-Identifier: MIT
#include "runtime/compiled.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "runtime/folds.hpp"
#include "semblance/feature.hpp"

namespace semblance {
namespace {

constexpr std::array<std::pair<std::string_view, NodeKind>, 8> node_kinds = {{
    {"source", NodeKind::source},
    {"feature", NodeKind::feature},
    {"normalizer", NodeKind::normalizer},
    {"basis", NodeKind::basis},
    {"similarity", NodeKind::similarity},
    {"pairs", NodeKind::pairs},
    {"solver", NodeKind::solver},
    {"evaluator", NodeKind::evaluator},
}};

NodeKind kind_of(const PipelineNode& node) {
  const auto& output = node.info().output;
  if (output && output->type == PortType::pair_scores) return NodeKind::pair_solver;
  for (const auto& [name, kind] : node_kinds)
    if (node.info().kind() == name) return kind;
  throw Error("components of kind '" + std::string(node.info().kind()) +
              "' cannot be nodes of a pipeline that is run");
}

std::string place(const Pipeline& pipeline, const PipelineNode& node) {
  std::string text = pipeline.file.string();
  if (node.position.line > 0)
    text += ":" + std::to_string(node.position.line) + ":" + std::to_string(node.position.column);
  return text;
}

void connect(CompiledNode& node, std::vector<CompiledNode>& nodes, std::size_t self) {
  for (const auto& input : node.spec->inputs) {
    for (const std::size_t from : input.nodes) nodes[from].consumers.push_back(self);
    if (input.port == "bases")
      node.bases = input.nodes.at(0);
    else if (input.port == "pairs")
      node.pairs = input.nodes.at(0);
    else
      node.inputs.insert(node.inputs.end(), input.nodes.begin(), input.nodes.end());
  }
}

Layout bind_normalizer(CompiledNode& node, const std::vector<CompiledNode>& nodes) {
  std::size_t total = 0;
  Layout last;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    last = node.as<Normalizer>(i).bind(nodes[node.inputs[i]].output);
    node.widths.push_back(last.size());
    total += last.size();
  }
  return node.inputs.size() == 1 ? last : Layout::vector(total);
}

Layout solver_input(const CompiledNode& node, const std::vector<CompiledNode>& nodes) {
  if (node.inputs.size() == 1) return nodes[node.inputs[0]].output;
  std::size_t total = 0;
  for (const std::size_t i : node.inputs) total += nodes[i].output.size();
  return Layout::vector(total);
}

std::size_t count_bases(const CompiledNode& similarity, const std::vector<CompiledNode>& nodes) {
  const Outline& outline = *similarity.outline;
  return nodes[*similarity.bases].as<Basis>().count(outline.train_rows, outline.classes.size());
}

Layout known_output(const CompiledNode& node, const KnownShapes& known) {
  const auto found = known.outputs.find(node.name());
  if (found == known.outputs.end()) throw Error("the model has no node of that name");
  return found->second;
}

void bind(CompiledNode& node, std::vector<CompiledNode>& nodes, const KnownShapes* known) {
  switch (node.kind) {
    case NodeKind::source:
      node.output = node.outline->layout;
      break;
    case NodeKind::feature:
      node.output = node.as<Feature>().bind(nodes[node.inputs[0]].output);
      break;
    case NodeKind::normalizer:
      node.output = bind_normalizer(node, nodes);
      break;
    case NodeKind::similarity: {
      node.as<Similarity>().bind(nodes[node.inputs[0]].output);
      node.operations = node.as<Similarity>().operations();
      node.output = known ? known_output(node, *known) : Layout::vector(count_bases(node, nodes));
      break;
    }
    case NodeKind::solver:
      node.as<Solver>().bind(solver_input(node, nodes));
      node.output = Layout::vector(node.outline->classes.size());
      break;
    case NodeKind::pair_solver:
      node.as<PairSolver>().bind(solver_input(node, nodes));
      break;
    case NodeKind::basis:
    case NodeKind::pairs:
    case NodeKind::evaluator:
      break;
  }
}

void match_model(const CompiledNode& source, Outline& outline, const KnownShapes& known) {
  const auto layout = known.outputs.find(source.name());
  const auto classes = known.classes.find(source.name());
  if (layout == known.outputs.end() || classes == known.classes.end())
    throw Error("the model has no source of that name");
  if (layout->second != outline.layout)
    throw Error("its rows are each a " + describe(outline.layout) +
                ", the model was trained on rows that are each a " + describe(layout->second));
  outline.classes = classes->second;
}

}  // namespace

bool CompiledNode::judges_samples() const {
  return kind == NodeKind::evaluator && spec->info().inputs.at(0).type == PortType::samples;
}

bool CompiledNode::judges_pairs() const {
  return kind == NodeKind::evaluator && spec->info().inputs.at(0).type == PortType::pair_scores;
}

bool CompiledNode::has_nothing_to_judge() const {
  return kind == NodeKind::evaluator && !judges_samples() && !judges_pairs() &&
         outline->test_rows == 0;
}

NodeError::NodeError(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
                     const std::string& what)
    : Error(place(pipeline, node) + ": error: node '" + node.name + "' (" + node.component.id +
            "), while " + phase + ": " + what),
      node_(static_cast<std::size_t>(&node - pipeline.nodes.data())) {}

void in_node(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
             const std::function<void()>& body) {
  try {
    body();
  } catch (const Cancelled&) {
    throw;
  } catch (const NodeError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw NodeError(pipeline, node, phase,
                    "out of memory; give it less data, or a smaller --memory so that more is kept "
                    "on disk");
  } catch (const std::exception& problem) {
    throw NodeError(pipeline, node, phase, problem.what());
  } catch (...) {
    throw NodeError(pipeline, node, phase, "it threw something that is not a std::exception");
  }
}

Compilation compile(const Pipeline& pipeline, const Catalogue& catalogue, RunServices& services,
                    const KnownShapes* known) {
  Compilation result;
  result.pipeline = &pipeline;
  result.nodes.resize(pipeline.nodes.size());
  for (std::size_t i = 0; i < pipeline.nodes.size(); ++i) {
    auto& node = result.nodes[i];
    node.spec = &pipeline.nodes[i];
    in_node(pipeline, *node.spec, "preparing", [&] {
      node.kind = kind_of(*node.spec);
      connect(node, result.nodes, i);
      const std::size_t copies = node.kind == NodeKind::normalizer ? node.inputs.size() : 1;
      for (std::size_t c = 0; c < copies; ++c)
        node.parts.push_back(catalogue.create(node.spec->component));
      if (node.kind == NodeKind::source) {
        NodeContext context(services, node.name(),
                            mixed_seed(node.spec->seed, node.spec->component.id));
        result.outlines.push_back(std::make_unique<Outline>(node.as<Source>().outline(context)));
        if (known) match_model(node, *result.outlines.back(), *known);
        if (node.spec->fold.count > 0)
          *result.outlines.back() = folded(*result.outlines.back(), node.spec->fold);
        node.outline = result.outlines.back().get();
      } else {
        node.outline = result.nodes[node.spec->origin].outline;
      }
      bind(node, result.nodes, known);
    });
  }
  return result;
}

}  // namespace semblance
