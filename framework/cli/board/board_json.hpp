// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/board/board_index.hpp"

/// The answers to the requests of the board's page.
namespace semblance::board {

/// A part of the list: {"total", "matching", "offset", "unread", "running", "problems", "figures":
/// [{"key", "unit", "runs"}] of the matching runs, "runs": [row]}. Throws Error for a wrong filter
/// or order.
nlohmann::ordered_json list_json(const BoardRuns& all, const std::string& filter,
                                 const std::string& sort, std::size_t offset, std::size_t most);

/// A row of the list.
nlohmann::ordered_json row_json(const BoardRun& run);

/// A row, and what its folder says: {"parameters", "all_figures", "curves", "log", "progress",
/// "files", "remarks": what is wrong}.
nlohmann::ordered_json details_json(const BoardRun& run);

/// Runs side by side: {"runs", "figures": [{"key", "unit", "better", "values"}], "parameters":
/// [{"key", "values"}] that differ, "curves": [{"key", "lines": [{"run", "x", "y"}]}], "tests":
/// the paired tests of `semblance compare`, or {"problem"}}. `metric` and `better` as its options.
nlohmann::ordered_json comparison_json(const std::vector<BoardRun>& runs, const std::string& metric,
                                       const std::string& better);

}  // namespace semblance::board
