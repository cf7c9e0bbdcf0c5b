// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/compiled.hpp"

namespace semblance {

/// The data files of a run and the checksums of their content.
using FileHashes = std::vector<std::pair<std::string, std::string>>;

/// Gives every node its key: a hash of the component, the plugin's code, the parameters, the seed
/// where it matters, the content of the files it reads, and the keys of its inputs. Nodes with
/// equal keys compute equal things, in this run or another.
FileHashes assign_keys(Compilation& compilation, const Catalogue& catalogue);

}  // namespace semblance
