// SPDX-License-Identifier: MIT
#include "export/machine_forms.hpp"

#include "export/folding.hpp"

namespace semblance {
namespace {

/// The inputs of a node, as an affine form of the rows of `from`.
AffineForm inputs_of(const Session& session, std::size_t target, std::size_t from) {
  const ExportedMachine inputs = exported_inputs(session, target, from);
  return affine_form(inputs.formula, inputs.scores);
}

std::string named(const Node& node) {
  return "node '" + node.name() + "' (" + node.spec->component.id + ")";
}

}  // namespace

SupportVectorMachine libsvm_machine(const Session& session, std::size_t target, std::size_t from) {
  const Node& node = session.node(target);
  const auto* vectors = dynamic_cast<const SupportVectors*>(node.parts.at(0).get());
  if (!vectors)
    throw Error("the model cannot be exported to LIBSVM's format: " + named(node) +
                " is not a support vector machine with one of LIBSVM's kernels");
  try {
    return folded(vectors->support_vectors(), inputs_of(session, target, from));
  } catch (const Error& problem) {
    throw Error("the model cannot be exported to LIBSVM's format: " + named(node) + ": " +
                problem.what());
  }
}

LiblinearMachine liblinear_machine(const Session& session, const ExportedMachine& machine,
                                   std::size_t target, std::size_t from) {
  const Node& node = session.node(target);
  const auto* weights = dynamic_cast<const LinearWeights*>(node.parts.at(0).get());
  const bool alone = node.inputs.size() == 1 && node.inputs[0] == from;
  if (weights && alone) return weights->linear_machine();
  try {
    return liblinear_machine(affine_form(machine.formula, machine.scores));
  } catch (const Error& problem) {
    throw Error(std::string("the model cannot be exported to LIBLINEAR's format: ") +
                problem.what());
  }
}

}  // namespace semblance
