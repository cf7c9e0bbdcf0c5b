// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "pipeline/check_options.hpp"
#include "pipeline/component_reader.hpp"
#include "pipeline/problems.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// Creates the component of a node that was read completely, after its parts, so that its own
/// checks run. If `options` say so, the files they will read must exist. Relative paths start from
/// `data`.
void check_component(const std::string& node, const ReadComponent& component,
                     const Catalogue& catalogue, const std::filesystem::path& data,
                     const CheckOptions& options, Problems& problems);

}  // namespace semblance
