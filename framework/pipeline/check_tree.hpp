// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "pipeline/check_options.hpp"
#include "pipeline/pipeline.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"

namespace semblance {

/// Checks a pipeline that was read, its overrides applied and `select` taken out by those who know
/// it; nothing when `problems` has errors then. `options.overrides` is not looked at.
std::optional<Pipeline> check_tree(const YamlNode& root, const std::string& file_name,
                                   const Catalogue& catalogue, const CheckOptions& options,
                                   Problems& problems);

}  // namespace semblance
