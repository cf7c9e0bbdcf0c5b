// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "export/exported_machine.hpp"
#include "runtime/explain/affine_form.hpp"
#include "runtime/session/run_progress.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// The node to export: the one of that name, or, without a name, the one that scores rows and whose
/// scores feed no other node. Throws Error.
std::size_t exported_node(const Compilation& graph, const std::string& name);

/// The node to start from: the one of that name, or the source of `target`. Throws Error.
std::size_t exported_origin(const Compilation& graph, std::size_t target, const std::string& name);

/// Exports the computation of `target` from a row of `from`. Throws Error that names all nodes that
/// cannot be exported, with the reasons.
ExportedMachine exported_machine(const RunProgress& progress, std::size_t target, std::size_t from);

/// Exports the inputs of `target` in the same way, as `scores`.
ExportedMachine exported_inputs(const RunProgress& progress, std::size_t target, std::size_t from);

/// The machine of `target` in LIBSVM's form, for rows of `from`. Throws Error.
SupportVectorMachine libsvm_machine(const RunProgress& progress, std::size_t target,
                                    std::size_t from);

/// The same in LIBLINEAR's form: `machine` is the complete machine. Throws Error.
LiblinearMachine liblinear_machine(const Compilation& graph, const ExportedMachine& machine,
                                   std::size_t target, std::size_t from);

/// The machine for rows before `inputs` maps them to those that it was trained on. Throws Error in
/// one sentence where its form does not allow that.
SupportVectorMachine folded(const SupportVectorMachine& machine, const AffineForm& inputs);

/// A linear machine for scores that are affine in the row: one function per class, or a single one
/// for the second of two classes if their functions are opposite; with `numbers`, for a number to
/// predict. Throws Error.
LiblinearMachine liblinear_machine(const AffineForm& scores, bool numbers = false);

}  // namespace semblance
