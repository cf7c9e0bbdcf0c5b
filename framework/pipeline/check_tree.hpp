// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "pipeline/check_options.hpp"
#include "pipeline/pipeline.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"

namespace semblance {

/// Checks a pipeline that was read, with its overrides applied and `select` removed by those who
/// know it; returns nothing if `problems` then has errors. Ignores `options.overrides`.
std::optional<Pipeline> check_tree(const YamlNode& root, const std::string& file_name,
                                   const Catalogue& catalogue, const CheckOptions& options,
                                   Problems& problems);

}  // namespace semblance
