// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/session.hpp"
#include "semblance/formula.hpp"

namespace semblance {

/// What a trained node computes of a row of another one, written down, with the names that belong
/// to it: all that a writer of some format has to know.
struct ExportedMachine {
  Formula formula;
  Formula::Value scores;             ///< one value a class
  std::string pipeline;              ///< its name
  std::string node;                  ///< whose scores they are
  std::string from;                  ///< whose rows are taken
  std::string layout;                ///< of these, in words
  std::size_t inputs = 0;            ///< values of a row
  std::vector<std::string> classes;  ///< names
  std::vector<std::string> columns;  ///< names of a row's values, if they have any
  std::string checksum;              ///< of the model
};

/// The node to export: the one of that name, or, where none is named, the one that scores rows and
/// whose scores feed nothing else. Throws Error.
std::size_t exported_node(const Session& session, const std::string& name);

/// Where to begin: the node of that name, or the source of `target`. Throws Error.
std::size_t exported_origin(const Session& session, std::size_t target, const std::string& name);

/// Writes down what `target` computes of a row of `from`. Throws Error that names all nodes which
/// cannot be written down, with the reasons.
ExportedMachine exported_machine(const Session& session, std::size_t target, std::size_t from);

}  // namespace semblance
