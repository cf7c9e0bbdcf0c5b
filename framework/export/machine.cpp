// SPDX-License-Identifier: MIT
#include "export/machine.hpp"

#include <algorithm>
#include <map>

#include "runtime/graph/scoring_node.hpp"
#include "semblance/calibrator.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

std::size_t node_named(const Compilation& graph, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.facts(i).name() == name) return i;
    names.push_back(graph.facts(i).name());
  }
  const std::string hint = did_you_mean(name, names);
  throw Error("the model has no node '" + name + "'" +
              (hint.empty() ? "; it has " + enumerate(names) : "; " + hint));
}

std::string described(const NodeFacts& node) {
  return "'" + node.name() + "' (" + node.spec->component.id + ")";
}

/// Whether a node that scores rows leads to node i, or is node i.
bool led_to_by_scores(const Compilation& graph, std::size_t i) {
  const Node& node = graph.node(i);
  return node.scoring() || std::ranges::any_of(node.facts().inputs, [&](std::size_t in) {
           return led_to_by_scores(graph, in);
         });
}

bool feeds_rows(const Compilation& graph, std::size_t i) {
  return std::ranges::any_of(graph.facts(i).consumers,
                             [&](std::size_t c) { return graph.facts(c).gives_rows(); });
}

/// Walks back from the node to export.
class MachineWriter {
 public:
  MachineWriter(const RunProgress& progress, std::size_t from, Formula& formula)
      : progress_(progress), from_(from), formula_(formula) {
    const NodeFacts& node = progress_.facts(from_);
    formula_.set_note(described(node));
    values_[from_] = formula_.input(node.output.size());
  }

  Formula::Value value_of(std::size_t i) {
    const auto known = values_.find(i);
    if (known != values_.end()) return known->second;
    return values_[i] = write(i);
  }

  /// Its inputs side by side.
  Formula::Value inputs_of(std::size_t i) {
    std::vector<Formula::Value> inputs;
    for (const std::size_t in : progress_.facts(i).inputs) inputs.push_back(value_of(in));
    return formula_.concatenate(inputs);
  }

  /// Throws Error that names all nodes that cannot be exported.
  void check(std::size_t target) const {
    if (refused_.empty()) return;
    std::string text = "the model cannot be exported:";
    for (const auto& [i, refused] : refused_) text += "\n  " + refused;
    if (refused_.contains(target)) throw Error(text);
    throw Error(text +
                "\nThe part after such a node can be exported with --from NODE; it then takes the "
                "rows of that node");
  }

 private:
  Formula::Value refuse(std::size_t i, const std::string& why) {
    refused_[i] = "node " + described(progress_.facts(i)) + ": " + why;
    // A placeholder, so that all problems are reported at once.
    const std::size_t width = std::max<std::size_t>(progress_.facts(i).output.size(), 1);
    return formula_.constant(std::vector<float>(width));
  }

  Formula::Value write(std::size_t i) {
    const NodeFacts& node = progress_.facts(i);
    if (node.is_source())
      return refuse(i, "its rows are taken beside those of '" + progress_.facts(from_).name() +
                           "', but only one node can be the input");
    std::vector<Formula::Value> inputs;
    for (const std::size_t in : node.inputs) inputs.push_back(value_of(in));
    if (!progress_.run(i).ready())
      return refuse(i, "it has not learned, as the run was stopped earlier; finish the run");
    formula_.set_note(described(node));
    try {
      return write_parts(progress_.node(i), inputs);
    } catch (const Error& problem) {
      return refuse(i, problem.what());
    }
  }

  /// Writes one component for all inputs side by side, or one for each.
  Formula::Value write_parts(const Node& node, const std::vector<Formula::Value>& inputs) {
    if (node.parts.size() == 1)
      return write_part(*node.parts[0], "it", formula_, formula_.concatenate(inputs));
    if (node.parts.size() != inputs.size()) throw Error("it cannot be written as a formula");
    std::vector<Formula::Value> values;
    for (std::size_t p = 0; p < inputs.size(); ++p)
      values.push_back(write_part(*node.parts[p], "it", formula_, inputs[p]));
    return formula_.concatenate(values);
  }

  const RunProgress& progress_;
  std::size_t from_;
  Formula& formula_;
  std::map<std::size_t, Formula::Value> values_;
  std::map<std::size_t, std::string> refused_;
};

bool reaches(const Compilation& graph, std::size_t i, std::size_t from) {
  const auto& inputs = graph.facts(i).inputs;
  return i == from ||
         std::ranges::any_of(inputs, [&](std::size_t in) { return reaches(graph, in, from); });
}

std::vector<std::string> outputs_of(PortType gives, const Outline& outline) {
  if (gives == PortType::estimates) return outline.targets;
  if (gives == PortType::novelty) return {"score"};
  if (gives != PortType::intervals) return outline.classes;
  std::vector<std::string> ends;
  for (const std::string& target : outline.targets)
    for (const char* part : {" lower", "", " upper"}) ends.push_back(target + part);
  return ends;
}

/// The inputs of a node, as an affine form of the rows of `from`.
AffineForm inputs_of(const RunProgress& progress, std::size_t target, std::size_t from) {
  const ExportedMachine inputs = exported_inputs(progress, target, from);
  return affine_form(inputs.formula, inputs.scores);
}

}  // namespace

std::size_t exported_node(const Compilation& graph, const std::string& name) {
  if (!name.empty()) return node_named(graph, name);
  std::vector<std::string> names;
  std::size_t found = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const bool last = graph.facts(i).gives_rows() || graph.node(i).scoring();
    if (!last || !led_to_by_scores(graph, i) || feeds_rows(graph, i)) continue;
    names.push_back(graph.facts(i).name());
    found = i;
  }
  if (names.empty()) throw Error("the model has no solver, so there is nothing to export");
  if (names.size() > 1)
    throw Error("the model has several solvers, " + enumerate(names) +
                ": say which one, as in --node " + names.front());
  return found;
}

std::size_t exported_origin(const Compilation& graph, std::size_t target, const std::string& name) {
  const std::size_t source = graph.facts(target).spec->origin;
  const std::size_t from = name.empty() ? source : node_named(graph, name);
  if (from == target)
    throw Error(
        name.empty()
            ? "'" + graph.facts(target).name() +
                  "' is the source, which leaves nothing to export; name a solver with --node"
            : "--from " + name + " leaves nothing to export; name a node before it");
  if (!reaches(graph, target, from))
    throw Error("'" + graph.facts(target).name() + "' takes nothing from '" +
                graph.facts(from).name() + "'; name a node that leads to it with --from");
  const Layout& layout = graph.facts(from).output;
  if (layout.ragged() && layout.kind != LayoutKind::sparse)
    throw Error("the rows of '" + graph.facts(from).name() + "', each a " + describe(layout) +
                ", differ in size, and only rows of one size can be exported; name a node whose "
                "rows are of one size with --from");
  return from;
}

ExportedMachine exported_machine(const RunProgress& progress, std::size_t target,
                                 std::size_t from) {
  const NodeFacts& node = progress.facts(target);
  const Node& origin = progress.node(from);
  const PortType gives = node.spec->info().output->type;
  const std::vector<std::string> outputs = outputs_of(gives, *node.outline);
  if (!node.gives_rows() || node.output != Layout::vector(outputs.size()))
    throw Error(
        "node " + described(node) +
        " gives a row neither class scores nor estimates nor intervals nor a novelty score; "
        "name a solver with --node");
  ExportedMachine machine;
  MachineWriter writer(progress, from, machine.formula);
  machine.scores = writer.value_of(target);
  writer.check(target);
  if (machine.formula.width(machine.scores) != node.output.size())
    throw Error("internal error: node " + described(node) + " writes down " +
                std::to_string(machine.formula.width(machine.scores)) + " values for " +
                std::to_string(node.output.size()) + " outputs");
  machine.node = node.name();
  machine.from = origin.name();
  machine.layout = describe(origin.facts().output);
  machine.inputs = origin.facts().output.size();
  machine.gives = gives;
  const auto* calibrator = dynamic_cast<const Calibrator*>(progress.node(target).parts[0].get());
  machine.sets = calibrator && calibrator->gives_sets();
  machine.outputs = outputs;
  const bool names = origin.facts().is_source() || origin.facts().gives_columns_of_source;
  if (names && origin.facts().outline->columns.size() == machine.inputs)
    machine.columns = origin.facts().outline->columns;
  return machine;
}

ExportedMachine exported_inputs(const RunProgress& progress, std::size_t target, std::size_t from) {
  ExportedMachine machine;
  MachineWriter writer(progress, from, machine.formula);
  machine.scores = writer.inputs_of(target);
  writer.check(target);
  return machine;
}

SupportVectorMachine libsvm_machine(const RunProgress& progress, std::size_t target,
                                    std::size_t from) {
  const Node& node = progress.node(target);
  const auto* vectors = dynamic_cast<const SupportVectors*>(node.parts.at(0).get());
  if (!vectors)
    throw Error("the model cannot be exported to LIBSVM's format: node " + described(node.facts()) +
                " is not a support vector machine with one of LIBSVM's kernels");
  try {
    return folded(vectors->support_vectors(), inputs_of(progress, target, from));
  } catch (const Error& problem) {
    throw Error("the model cannot be exported to LIBSVM's format: node " + described(node.facts()) +
                ": " + problem.what());
  }
}

LiblinearMachine liblinear_machine(const Compilation& graph, const ExportedMachine& machine,
                                   std::size_t target, std::size_t from) {
  const Node& node = graph.node(target);
  const auto* weights = dynamic_cast<const LinearWeights*>(node.parts.at(0).get());
  const bool alone = node.facts().inputs.size() == 1 && node.facts().inputs[0] == from;
  if (weights && alone) return weights->linear_machine();
  try {
    return liblinear_machine(affine_form(machine.formula, machine.scores),
                             machine.gives == PortType::estimates);
  } catch (const Error& problem) {
    throw Error(std::string("the model cannot be exported to LIBLINEAR's format: ") +
                problem.what());
  }
}

}  // namespace semblance
