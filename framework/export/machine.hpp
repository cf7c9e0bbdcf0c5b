// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "export/exported_machine.hpp"
#include "runtime/session/session.hpp"

namespace semblance {

/// The node to export: the one of that name, or, where none is named, the one that scores rows and
/// whose scores feed nothing else. Throws Error.
std::size_t exported_node(const Session& session, const std::string& name);

/// Where to begin: the node of that name, or the source of `target`. Throws Error.
std::size_t exported_origin(const Session& session, std::size_t target, const std::string& name);

/// Writes down what `target` computes of a row of `from`. Throws Error that names all nodes which
/// cannot be written down, with the reasons.
ExportedMachine exported_machine(const Session& session, std::size_t target, std::size_t from);

/// The same of the rows that `target` is given, as `scores`.
ExportedMachine exported_inputs(const Session& session, std::size_t target, std::size_t from);

}  // namespace semblance
