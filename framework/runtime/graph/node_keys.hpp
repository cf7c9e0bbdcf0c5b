// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/graph/compilation.hpp"
#include "runtime/store/input_files.hpp"

namespace semblance {

/// Gives every node its key: a hash of the component, the plugin's code and the libraries that it
/// is linked with, the parameters, the seed where it matters, the files it reads (their content,
/// and the way to each from the path that was given, not where that path lies), the keys of its
/// inputs, and the names that its component is shown. Nodes with equal keys compute equal things,
/// in this run or another.
void assign_keys(Compilation& graph, const Catalogue& catalogue, InputFiles& files);

/// The key of the data that a source opens, before rows are set aside or folded.
std::string data_key(const Node& source, const Catalogue& catalogue, InputFiles& files);

}  // namespace semblance
