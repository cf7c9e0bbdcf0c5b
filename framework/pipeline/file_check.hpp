// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "pipeline/check_options.hpp"
#include "pipeline/component_reader.hpp"
#include "pipeline/problems.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// Creates the component of a node that was read completely, so that its own checks run, and its
/// parts first. If `options` say so, the files they will read must exist. `data` is what
/// relative paths start from.
void check_component(const std::string& node, const ReadComponent& component,
                     const Catalogue& catalogue, const std::filesystem::path& data,
                     const CheckOptions& options, Problems& problems);

}  // namespace semblance
