// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/board/board_index.hpp"

namespace semblance::board {

/// The name of a figure in the board's list: NODE.FIGURE of a run, the metric of a study.
std::string key_of(const BoardRun& run, const cli::ReportedFigure& figure);

/// What a text asks for, for runs that match all of its words. A word is part of the name, folder,
/// tags, note, status or kind; FIELD:TEXT is part of that field alone (name, folder, tag, note,
/// status, kind, command); FIGURE<NUMBER (also <=, >, >=, =, !=) compares a figure, with or without
/// its node, or `took` (seconds) or `seed`; 5% is 0.05. A minus in front negates, quotes keep
/// blanks. Throws Error for a comparison without a number.
std::function<bool(const BoardRun&)> run_filter(const std::string& text);

/// Sorts by started, name, folder, took, seed, status, kind, tags, note or a figure; a minus in
/// front sorts downwards. Runs without a value come last; ties go to the latest. Throws Error for a
/// key that no run has.
void sort_runs(std::vector<const BoardRun*>& runs, std::string key);

}  // namespace semblance::board
