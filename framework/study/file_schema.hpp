// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "registry/catalogue.hpp"

namespace semblance {

/// JSON Schema (draft-07) of pipelines and studies with the components of a catalogue, for editors:
/// what can be typed, with its documentation, and what of it is wrong. Accepts every pipeline that
/// check_pipeline accepts; of the rest it refuses what is wrong by itself, not by its place in the
/// graph or on disk. The same catalogue gives the same schema.
nlohmann::ordered_json pipeline_schema(const Catalogue& catalogue);

}  // namespace semblance
