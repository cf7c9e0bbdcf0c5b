// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/pipeline.hpp"
#include "pipeline/resolved.hpp"

namespace semblance {

/// What tells a node from others, apart from what feeds it and what its files hold: the component
/// with its parameters, the seed where the component or one nested in it is random, and the fold.
/// The one place that says so: for sharing nodes within a study (study/merge.hpp) and, with what
/// they read and are fed, between runs (runtime/graph/node_keys.hpp).
nlohmann::json node_identity(const PipelineNode& node, const Catalogue& catalogue,
                             PathValues paths = PathValues::keep);

/// What tells the data that a source opens from others: the same of all folds of one source.
std::string data_identity(const PipelineNode& source, const Catalogue& catalogue);

}  // namespace semblance
