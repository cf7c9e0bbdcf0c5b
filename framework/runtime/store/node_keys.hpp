// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/nodes/compilation.hpp"

namespace semblance {

/// The data files of a run and the checksums of their content.
using FileHashes = std::vector<std::pair<std::string, std::string>>;

/// Gives every node its key: a hash of the component, the plugin's code and the libraries that it
/// is linked with, the parameters, the seed where it matters, the files it reads (their content,
/// and the way to each from the path that was given, not where that path lies), the keys of its
/// inputs, and the names that its component is shown. Nodes with equal keys compute equal things,
/// in this run or another.
FileHashes assign_keys(Compilation& graph, const Catalogue& catalogue);

}  // namespace semblance
