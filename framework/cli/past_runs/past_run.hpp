// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/past_runs/folder_results.hpp"
#include "history/history.hpp"

namespace semblance::cli {

/// A run or study of the history with all that its folder still says.
struct PastRun {
  HistoryEntry entry;
  std::filesystem::path folder;
  /// All figures of the folder; only the history's where the folder is missing, damaged, or has a
  /// later run's results.
  std::vector<ReportedFigure> figures;
  std::vector<ReportedCurve> curves;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string problem;  ///< why the folder says nothing; empty: it does
};

/// Reads the folder of an entry of the history in `root`.
PastRun past_run(HistoryEntry entry, const std::filesystem::path& root);

/// The runs as a table for spreadsheets: one line per run, one column per parameter and figure.
std::string csv_of(const std::vector<PastRun>& runs);

/// The runs as lines of JSON, one object each.
std::string json_lines_of(const std::vector<PastRun>& runs);

}  // namespace semblance::cli
