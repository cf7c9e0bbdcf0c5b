// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "semblance/layout.hpp"

namespace semblance {

nlohmann::ordered_json layout_json(const Layout& layout);

/// Reads the output of layout_json(), perhaps from an untrusted file. Throws Error, or an exception
/// of the JSON library, where it is not a valid layout.
Layout layout_from_json(const nlohmann::ordered_json& json);

}  // namespace semblance
