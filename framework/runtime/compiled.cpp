// SPDX-License-Identifier: MIT
#include "runtime/compiled.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "runtime/folds.hpp"
#include "runtime/setting_aside.hpp"
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
  throw Error("a component of kind '" + std::string(node.info().kind()) +
              "' cannot be a node of a pipeline");
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
  if (found == known.outputs.end()) throw Error("the model has no node with this name");
  return found->second;
}

/// The first component in there whose samples' values belong to one row of the source's data each;
/// `inside` says whether another measure hands the samples on, perhaps a part of their values.
const ComponentInfo* comparing_by_rows(const ComponentConfig& config, const Catalogue& catalogue,
                                       bool& inside) {
  const auto* entry = catalogue.find(config.id);
  if (entry && entry->info.columns_are_rows) return &entry->info;
  for (const auto& [parameter, part] : config.parts) {
    const auto* found = comparing_by_rows(part, catalogue, inside);
    if (!found) continue;
    inside = inside || (entry && entry->info.kind() == "similarity");
    return found;
  }
  return nullptr;
}

/// Where values are those of a matrix with a column for each row of the data, there must be as
/// many: a column too many moves all others, and nothing else would tell.
void check_columns(const CompiledNode& node, const std::vector<CompiledNode>& nodes,
                   const Catalogue& catalogue) {
  bool inside = false;
  const auto* info = comparing_by_rows(node.spec->component, catalogue, inside);
  if (!info || node.inputs.empty()) return;
  const std::size_t values = solver_input(node, nodes).size();
  const std::size_t rows = numbered_rows(*node.outline);
  if (values == rows || (inside && values > rows)) return;
  const std::string source = nodes[node.spec->origin].name();
  throw Error(
      info->id + " reads each value of a sample as its similarity to one row that '" + source +
      "' has for training, in the order of those rows: the samples have " + std::to_string(values) +
      " values, but there are " + std::to_string(rows) +
      " such rows; drop columns that hold something else, such as an id, and use a matrix of "
      "exactly these rows" +
      (values < rows ? ", with rows that have no column in a separate file (test_path)" : ""));
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

/// Columns with names are in the model's order; without names nobody can tell.
void match_columns(const CompiledNode& source, const Outline& outline, const KnownShapes& known,
                   RunServices& services) {
  const auto found = known.columns.find(source.name());
  const std::vector<std::string> none;
  const std::vector<std::string>& columns = found == known.columns.end() ? none : found->second;
  if (columns == outline.columns) return;
  if (!columns.empty() && !outline.columns.empty())
    throw Error(
        "its columns differ in name or order from those the model was trained on; use the columns "
        "of the training data");
  services.log(LogLevel::warning, source.name() + ": columns are matched by position: " +
                                      (columns.empty() ? "the model has no column names"
                                                       : "the new data have no column names"));
}

void match_model(const CompiledNode& source, Outline& outline, const KnownShapes& known,
                 RunServices& services) {
  const auto layout = known.outputs.find(source.name());
  const auto classes = known.classes.find(source.name());
  if (layout == known.outputs.end() || classes == known.classes.end())
    throw Error("the model has no source with this name");
  if (layout->second != outline.layout)
    throw Error("its rows are each a " + describe(outline.layout) +
                ", but the model was trained on rows that are each a " + describe(layout->second));
  match_columns(source, outline, known, services);
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
    throw NodeError(
        pipeline, node, phase,
        "out of memory; use less data, or a smaller --memory so that more is kept on disk");
  } catch (const std::exception& problem) {
    throw NodeError(pipeline, node, phase, problem.what());
  } catch (...) {
    throw NodeError(pipeline, node, phase, "it threw an object that is not a std::exception");
  }
}

void KnownShapes::apply_to(Source& source, const std::string& node) const {
  const auto found = changed.find(node);
  const auto layout = outputs.find(node);
  if (found == changed.end() || layout == outputs.end()) return;
  NewData data;
  data.path = found->second.path;
  data.given = found->second.given;
  data.layout = layout->second;
  if (const auto at = classes.find(node); at != classes.end()) data.classes = at->second;
  if (const auto at = columns.find(node); at != columns.end()) data.columns = at->second;
  source.apply_model(data);
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
      while (node.parts.size() < copies)
        node.parts.push_back(catalogue.create(node.spec->component));
      if (node.kind == NodeKind::source) {
        NodeContext context(services, node.name(),
                            mixed_seed(node.spec->seed, node.spec->component.id), 0,
                            name_of_data(*node.spec));
        if (known) known->apply_to(node.as<Source>(), node.name());
        result.outlines.push_back(std::make_unique<Outline>(node.as<Source>().outline(context)));
        Outline& outline = *result.outlines.back();
        node.outline = &outline;
        if (known) match_model(node, outline, *known, services);
        if (!known) set_rows_aside(result, i, catalogue, services);
        if (!node.set_aside.empty()) outline = with_set_aside(outline, node.set_aside.size());
        if (node.spec->fold.count > 0) outline = folded(outline, node.spec->fold);
      } else {
        node.outline = result.nodes[node.spec->origin].outline;
      }
      bind(node, result.nodes, known);
      // What a model takes is what it was trained on, whose rows the new data are not.
      if (!known) check_columns(node, result.nodes, catalogue);
    });
  }
  return result;
}

}  // namespace semblance
