// SPDX-License-Identifier: MIT
#pragma once

#include "history/history.hpp"

namespace semblance::cli {

/// An entry of the history for other programs.
nlohmann::ordered_json json_of(const HistoryEntry& entry);

}  // namespace semblance::cli
