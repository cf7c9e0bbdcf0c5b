// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/graph/compilation.hpp"
#include "runtime/store/input_files.hpp"

namespace semblance {

/// Gives every node its key: a hash of the component, the code of the plugin and its linked
/// libraries, the parameters, the seed where it matters, the files it reads, the keys of its
/// inputs, and the names that its component sees. A file counts by its content and its path
/// relative to the given path. Nodes with equal keys compute equal results, in this run or another.
void assign_keys(Compilation& graph, const Catalogue& catalogue, InputFiles& files);

/// The key of the data that a source opens, before rows are set aside or folded.
std::string data_key(const Node& source, const Catalogue& catalogue, InputFiles& files);

}  // namespace semblance
