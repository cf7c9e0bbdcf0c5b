// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "semblance/layout.hpp"

namespace semblance {

nlohmann::ordered_json layout_json(const Layout& layout);

/// What layout_json() wrote, perhaps somebody else's: throws Error, or an exception of the JSON
/// library, where it is no layout that there can be.
Layout layout_from_json(const nlohmann::ordered_json& json);

}  // namespace semblance
