// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/pipeline.hpp"
#include "pipeline/resolved.hpp"

namespace semblance {

/// The identity of a node, except for its inputs and the content of its files: the component with
/// its parameters, the seed where the component or one nested in it is random, and the fold. This
/// is the only definition. It serves for sharing nodes within a study (study/merge.hpp) and, with
/// files and inputs added, between runs (runtime/graph/node_keys.hpp).
nlohmann::json node_identity(const PipelineNode& node, const Catalogue& catalogue,
                             PathValues paths = PathValues::keep);

/// The identity of the data that a source opens: the same for all folds of one source.
std::string data_identity(const PipelineNode& source, const Catalogue& catalogue);

}  // namespace semblance
