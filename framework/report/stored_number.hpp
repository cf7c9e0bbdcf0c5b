// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

namespace semblance {

/// A number for JSON, which has no NaN and no infinity: these become "nan", "-nan", "inf" and
/// "-inf".
nlohmann::ordered_json number_to_json(double value);

/// Throws Error, or an exception of the JSON library, where it is not such a number.
double number_from_json(const nlohmann::ordered_json& stored);

}  // namespace semblance
