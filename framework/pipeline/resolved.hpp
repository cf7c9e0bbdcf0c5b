// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The pipeline as YAML with every parameter filled in and every path absolute. Checking it again
/// gives an equal pipeline, even if defaults have changed since.
std::string resolved_yaml(const Pipeline& pipeline);

enum class PathValues { keep, leave_out };

/// A component as JSON with sorted keys: `{"gamma": 1.0, "is": "similarity/rbf"}`, with its parts
/// as nested objects. The same configuration gives the same text, which addresses artifacts.
/// Without path values if the content of the files counts, not their location. Throws Error for a
/// component that the catalogue does not have.
nlohmann::json canonical_json(const ComponentConfig& component, const Catalogue& catalogue,
                              PathValues paths = PathValues::keep);

/// What canonical_json() of an earlier version gave for a component, as it is now: with current
/// names, and parameters that it did not have at their defaults. Without paths.
nlohmann::json current_json(const nlohmann::json& recorded, const Catalogue& catalogue);

/// Only the parameters, in the order of the declaration, for people to read.
nlohmann::ordered_json parameters_json(const ComponentConfig& component);

}  // namespace semblance
