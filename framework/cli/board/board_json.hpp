// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/board/board_index.hpp"

/// The answers to the requests of the board's page.
namespace semblance::board {

/// The list: {"unread", "problems", "runs": [row]}, in no order.
nlohmann::ordered_json list_json(const BoardRuns& all);

/// A row of the list, with its figures by key: {"value", "text", "better"}.
nlohmann::ordered_json row_json(const BoardRun& run);

/// A row, and what its folder says: {"folder", "command", "parameters", "all_figures", "curves",
/// "log", "progress", "files", "remarks": what is wrong}.
nlohmann::ordered_json details_json(const BoardRun& run);

/// Runs side by side: {"runs": [{"place", "remarks"}], "figures": [{"key", "better", "values"}],
/// "parameters": [{"key", "values"}] that differ, "curves": [{"key", "values": [{"x", "y"}]}],
/// "tests": the paired tests of `semblance compare` as text, or {"problem"}}. `metric` and `better`
/// as its options.
nlohmann::ordered_json comparison_json(const std::vector<BoardRun>& runs, const std::string& metric,
                                       const std::string& better);

}  // namespace semblance::board
