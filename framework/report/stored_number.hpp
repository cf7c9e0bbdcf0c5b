// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

namespace semblance {

/// JSON has no NaN and no infinity: stored as the texts "nan", "-nan", "inf" and "-inf".
nlohmann::ordered_json number_to_json(double value);

/// Throws Error, or an exception of the JSON library, where it is no such number.
double number_from_json(const nlohmann::ordered_json& stored);

}  // namespace semblance
