// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "semblance/explanation.hpp"

namespace semblance {

/// The most shares that are recorded: the largest ones.
constexpr std::size_t most_shares = 1000;

/// The samples as the store keeps them and the page draws them: {"name", "of"
/// (ExplainedSamples::Of), "height" and "width" (of an image in pixels, of a grid in cells),
/// "entries": [{"sample", "number" (in the data), "explanation" (explanation_to_json()), "drawn"
/// (the training samples of its examples; empty: not at hand)}]}. Throws Error where the number of
/// values of a sample does not match its layout, and where there are training samples for some of
/// the shown examples only.
nlohmann::ordered_json drawn_explanations(const ExplainedSamples& samples);

/// For metrics.json, of what drawn_explanations() returns: an array with what `semblance explain
/// --json` prints for each, and the true class or number of the sample. Throws Error, or an
/// exception of the JSON library, for anything else.
nlohmann::ordered_json explanations_json(const nlohmann::ordered_json& drawn);

}  // namespace semblance
