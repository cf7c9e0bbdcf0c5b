// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "pipeline/check_options.hpp"
#include "pipeline/pipeline.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"

namespace semblance {

/// Checks the name, seed and nodes of a pipeline that was read: the last step of every check, see
/// study/check_pipeline.hpp. Its overrides must have been applied and `select` removed. Returns
/// nothing if `problems` then has errors. Ignores `options.overrides`.
std::optional<Pipeline> check_nodes(const YamlNode& root, const std::string& file_name,
                                    const Catalogue& catalogue, const CheckOptions& options,
                                    Problems& problems);

}  // namespace semblance
